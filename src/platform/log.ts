/** Structured logs: one JSON object per line on standard error, so that standard output has only the `ready` line. */
import { pino, type Logger } from 'pino'

export type Log = Logger

export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      redact: ['req.headers.cookie', 'req.headers.authorization', 'password', 'token', 'code'],
      // Log only the message and code of a driver's error: other properties may contain a connection, with secrets.
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    pino.destination({ fd: 2, sync: false }),
  )

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  return { name, message, ...code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) }
}

/** Structured logs: one JSON object a line on standard error, so that standard output keeps the one `ready` line. */
import { pino, type Logger } from 'pino'

export type Log = Logger

export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      redact: ['req.headers.cookie', 'req.headers.authorization', 'password', 'token', 'code'],
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    pino.destination({ fd: 2, sync: false }),
  )

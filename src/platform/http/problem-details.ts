/** Answers every error as RFC 9457 `application/problem+json`, without internal details. */
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { malformed, notFound, Problem, unavailable } from '../../kernel/problem.ts'
import type { ProblemCode } from '../../kernel/problem-codes.ts'
import { CommitUnanswered, isDatabaseUnavailable, isDiskFull } from '../db/index.ts'

interface ProblemBody {
  type: string
  title: string
  status: number
  detail: string
  /**
   * Only for our own faults. Other errors have the id only in the header, so that errors that must not be told apart
   * have the same body.
   */
  requestId?: string
  code: ProblemCode
  errors?: readonly { field: string; message: string }[]
}

const FRAMEWORK: Readonly<Record<string, () => Problem>> = {
  FST_ERR_BAD_URL: () => new Problem(400, 'The address is not one that can be read.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Problem(400, 'The body is not JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Problem(400, 'The body is empty where JSON was expected.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem(400, 'The length of the body is not what its header says.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem(413, 'The body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Problem(415, 'Send JSON: content-type application/json.'),
}

const UNANSWERED =
  'The database went away while it kept this, so it may or may not be done. Look before you ask again; with the same Idempotency-Key nothing is done twice.'

export function toProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (typeof code === 'string' && FRAMEWORK[code]) return FRAMEWORK[code]()
  // Errors of the framework and of static files: a path outside the folder, a malformed URL.
  if (statusCode === 403 || statusCode === 404) return notFound()
  if (statusCode === 400) return malformed('The request cannot be read.')
  if (isDiskFull(error)) return unavailable('The disk of the server is full: nothing was changed.', 30, error)
  if (isDatabaseUnavailable(error))
    return unavailable('The database is temporarily unavailable. Nothing was changed.', 2, error)
  if (error instanceof CommitUnanswered) return unavailable(UNANSWERED, 2, error)
  return null
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: FastifyError | Error): FastifyReply {
  const problem = toProblem(error)
  if (!problem || problem.status === 503) request.log.error({ err: error }, 'request failed')
  if (problem?.retryAfter !== undefined) reply.header('retry-after', Math.ceil(problem.retryAfter))
  const body: ProblemBody = problem
    ? {
        type: 'about:blank',
        title: problem.title,
        status: problem.status,
        detail: problem.detail,
        ...(problem.status < 500 ? {} : { requestId: request.id }),
        code: problem.code,
        ...(problem.errors === undefined ? {} : { errors: problem.errors }),
      }
    : {
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        detail: `Something went wrong on our side. If you tell us, name the request ${request.id}.`,
        requestId: request.id,
        code: 'internal_error',
      }
  return reply.code(body.status).type('application/problem+json').send(JSON.stringify(body))
}

/** Errors of requests that could not be parsed, answered on the socket: too large, too slow, or not HTTP. */
const GIBBERISH: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive.'],
}

export function rejectMalformedRequest(error: Error, socket: Socket, headers: Readonly<Record<string, string>>): void {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, title, detail] = GIBBERISH[code] ?? [400, 'Bad Request', 'The request cannot be read.']
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code: 'malformed' } satisfies ProblemBody)
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n'))
}

/** One rejected field, as problem+json carries it (RFC 9457 with our `errors` member). */
export interface FieldFailure {
  readonly field: string
  readonly message: string
}

export interface ProblemDetails {
  readonly title: string | null
  readonly detail: string | null
  /** A stable word for programs, for example `asn_unverified`. */
  readonly code: string | null
  readonly errors: readonly FieldFailure[]
}

export const NO_DETAILS: ProblemDetails = { title: null, detail: null, code: null, errors: [] }

/** A request that did not succeed. `status` is null when no response came at all. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly status: number | null
  readonly problem: ProblemDetails
  /** Seconds after which to try again, from 429 and 503. */
  readonly retryAfter: number | null

  /** The request, for the error service: the GraphQL operation, or method and path. */
  operation: string | null = null

  /** Identifies the request in the server's log. */
  readonly requestId: string | null

  constructor(
    status: number | null,
    problem: ProblemDetails,
    retryAfter: number | null = null,
    cause?: unknown,
    requestId: string | null = null,
  ) {
    super(problem.detail ?? problem.title ?? (status === null ? 'no answer' : `HTTP ${status}`), { cause })
    this.status = status
    this.problem = problem
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}

export const unreachable = (cause: unknown): HttpFailure => new HttpFailure(null, NO_DETAILS, null, cause)

/** A proxy between us and the server responded instead, for example with its own page. */
export const unreadable = (response: Response, cause: unknown): HttpFailure =>
  new HttpFailure(response.status, NO_DETAILS, null, cause, response.headers.get('x-request-id'))

/** Reads the body of an error response. A proxy may have sent HTML instead: a body that is not a problem is ignored. */
export async function readFailure(response: Response): Promise<HttpFailure> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) && seconds >= 0 ? seconds : null
  const requestId = response.headers.get('x-request-id')
  return new HttpFailure(response.status, await readProblem(response), retryAfter, undefined, requestId)
}

async function readProblem(response: Response): Promise<ProblemDetails> {
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return NO_DETAILS
  try {
    return parseProblem(await response.json())
  } catch {
    return NO_DETAILS
  }
}

function parseProblem(body: unknown): ProblemDetails {
  if (typeof body !== 'object' || body === null) return NO_DETAILS
  const text = (name: string): string | null => {
    const value: unknown = Reflect.get(body, name)
    return typeof value === 'string' && value !== '' ? value : null
  }
  const errors: unknown = Reflect.get(body, 'errors')
  return {
    title: text('title'),
    detail: text('detail'),
    code: text('code'),
    errors: Array.isArray(errors) ? errors.filter(isFieldFailure) : [],
  }
}

const isFieldFailure = (value: unknown): value is FieldFailure =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'field') === 'string' &&
  typeof Reflect.get(value, 'message') === 'string'

/**
 * True for a canceled request, and for a view transition that a faster one skipped: neither is a failure. The query
 * library's own error is recognized by its message, because its class is not part of the first load.
 */
export const isCancellation = (error: unknown): boolean =>
  (error instanceof DOMException && error.name === 'AbortError') ||
  (error instanceof Error && error.message === 'CancelledError')

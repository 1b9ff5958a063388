/**
 * The errors of the API: one class, one table. The server answers a `Problem` as RFC 9457 `application/problem+json`.
 * Anything else that is thrown is a bug: it is answered with 500 and reported.
 */

import type { ProblemCode } from './problem-codes.ts'

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** The title of each status, and the code to use when no more precise one is given. */
const STATUSES = {
  400: ['Bad Request', 'malformed'],
  401: ['Unauthorized', 'unauthenticated'],
  402: ['Payment Required', 'payment_declined'],
  403: ['Forbidden', 'forbidden'],
  404: ['Not Found', 'not_found'],
  406: ['Not Acceptable', 'not_acceptable'],
  409: ['Conflict', 'invalid_state'],
  413: ['Content Too Large', 'content_too_large'],
  415: ['Unsupported Media Type', 'unsupported_media_type'],
  422: ['Unprocessable Content', 'invalid_fields'],
  429: ['Too Many Requests', 'too_many_requests'],
  503: ['Service Unavailable', 'unavailable'],
} as const satisfies Record<number, readonly [string, ProblemCode]>

export type ProblemStatus = keyof typeof STATUSES

export interface ProblemOptions {
  code?: ProblemCode | undefined
  errors?: readonly FieldProblem[]
  /** Seconds, for 429 and 503. */
  retryAfter?: number
  cause?: unknown
}

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: ProblemStatus
  readonly detail: string
  readonly code: ProblemCode
  readonly errors: readonly FieldProblem[] | undefined
  readonly retryAfter: number | undefined

  constructor(status: ProblemStatus, detail: string, options: ProblemOptions = {}) {
    super(`${status} ${STATUSES[status][0]}: ${detail}`, options.cause === undefined ? {} : { cause: options.cause })
    this.status = status
    this.detail = detail
    this.code = options.code ?? STATUSES[status][1]
    this.errors = options.errors
    this.retryAfter = options.retryAfter
  }

  get title(): string {
    return STATUSES[this.status][0]
  }
}

export const malformed = (detail: string): Problem => new Problem(400, detail)
export const unauthorized = (detail = 'Sign in first.', code?: ProblemCode): Problem =>
  new Problem(401, detail, { code })
/** Why an account cannot be charged; without one, a card was declined. */
export type PaymentDemand = 'payment_method_missing' | 'account_suspended' | 'new_account_limit'
export const paymentRequired = (detail: string, code?: PaymentDemand): Problem => new Problem(402, detail, { code })
export const forbidden = (detail: string, code?: ProblemCode): Problem => new Problem(403, detail, { code })
/** Absent and another customer's rows get the same response. */
export const notFound = (): Problem => new Problem(404, 'There is nothing here.')
export const conflict = (detail: string, code?: ProblemCode): Problem => new Problem(409, detail, { code })
/** One field is well formed but rejected, because its name is already taken. */
export const taken = (field: string, detail: string): Problem =>
  new Problem(409, detail, { code: 'already_exists', errors: [{ field, message: detail }] })
/** Reports all wrong fields at once and each field once: further issues of a field are appended to its message. */
export const invalid = (problems: readonly FieldProblem[]): Problem => {
  const messages = new Map<string, string>()
  for (const { field, message } of problems) {
    const said = messages.get(field)
    messages.set(field, said === undefined ? message : `${said}; ${message}`)
  }
  const errors = [...messages].map(([field, message]) => ({ field, message }))
  return new Problem(422, errors.map(({ field, message }) => `${field}: ${message}`).join('; '), { errors })
}
export const tooMany = (detail: string, retryAfter: number): Problem => new Problem(429, detail, { retryAfter })
export const unavailable = (detail: string, retryAfter = 5, cause?: unknown): Problem =>
  new Problem(503, detail, { retryAfter, cause })

import { isCancellation, type HttpFailure } from './http-failure.ts'

export interface FailureText {
  readonly title: string
  readonly body: string
}

/** What people read when a call fails, by status. */
const CATALOGUE: Readonly<Record<number, FailureText>> = {
  400: { title: 'Bad Request', body: 'The request was malformed.' },
  401: { title: 'Unauthorized', body: 'You are not authorized to perform the requested action.' },
  402: { title: 'Payment Method Failure', body: 'Your payment method was declined. Try another.' },
  403: { title: 'Forbidden', body: 'The requested API is forbidden.' },
  404: { title: 'Not Found', body: 'The requested API could not be found.' },
  422: { title: 'Unprocessable Content', body: 'The requested API was not processable.' },
  500: { title: 'Internal Server Error', body: 'An unexpected error occurred on the server.' },
}
const OTHER: FailureText = { title: 'Error', body: 'An unexpected error occurred.' }
const NO_ANSWER: FailureText = {
  title: 'Network Error',
  body: 'Failed to connect to the server. Please check your connection.',
}
export const UNCAUGHT: FailureText = { title: 'Server error', body: 'Something went wrong. Please try again later.' }

export const failureText = (status: number | null): FailureText =>
  status === null ? NO_ANSWER : (CATALOGUE[status] ?? OTHER)

/**
 * The server's own sentence, where it says more than the catalogue can: which state forbids it, how long to wait.
 * Refusals without a person to mend them (400, 404, 5xx but 503) keep to the catalogue.
 */
export function failureDetail({ status, problem }: HttpFailure): string | null {
  const telling = status !== null && [402, 403, 409, 413, 415, 422, 429, 503].includes(status)
  // What the catalogue says already is not said twice.
  return telling ? problem.detail?.replace(failureText(status).body, '').trim() || null : null
}

/** What to name to support: only of faults of ours, which nobody else can mend. */
export const failureReference = ({ status, requestId }: HttpFailure): string | null =>
  status !== null && status >= 500 ? requestId : null

/** False of what is no fault of the product: it is neither shown as one nor sent to the error service. */
export const isReportable = (error: unknown): boolean => !isCancellation(error) && !isTransitionSkip(error)

/** A view transition is also given up while the page is hidden or slow: the screen changed all the same. */
const isTransitionSkip = (error: unknown): boolean =>
  error instanceof DOMException &&
  ['InvalidStateError', 'TimeoutError'].includes(error.name) &&
  // Each browser words it its own way.
  /\btransition was\b|\bview transition\b/i.test(error.message)

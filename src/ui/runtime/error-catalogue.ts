import { isCancellation, type HttpFailure } from './http-failure.ts'

export interface FailureText {
  readonly title: string
  readonly body: string
}

/** The messages for failed requests, by status. */
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
 * Returns the server's own sentence where it says more than the catalogue can: which state forbids it, how long to
 * wait. Errors that the user cannot fix (400, 404, 5xx but 503) keep the catalogue's text.
 */
export function failureDetail({ status, problem }: HttpFailure): string | null {
  const telling = status !== null && [402, 403, 409, 413, 415, 422, 429, 503].includes(status)
  // Do not repeat the catalogue.
  return telling ? problem.detail?.replace(failureText(status).body, '').trim() || null : null
}

/** Returns the reference for support: only for our faults, which the user cannot fix. */
export const failureReference = ({ status, requestId }: HttpFailure): string | null =>
  status !== null && status >= 500 ? requestId : null

/** False for errors that are no fault of the product: they are neither shown as one nor sent to the error service. */
export const isReportable = (error: unknown): boolean => !isCancellation(error) && !isTransitionSkip(error)

/** Browsers also skip a view transition while the page is hidden or slow: the page changed anyway. */
const isTransitionSkip = (error: unknown): boolean =>
  error instanceof DOMException &&
  ['InvalidStateError', 'TimeoutError'].includes(error.name) &&
  // Each browser words it differently.
  /\btransition was\b|\bview transition\b/i.test(error.message)

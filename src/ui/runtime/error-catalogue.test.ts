import { describe, expect, test } from 'vitest'
import { failureDetail, failureText, isReportable } from './error-catalogue.ts'
import { HttpFailure } from './http-failure.ts'

describe('the words for a failed call', () => {
  test.each([
    [400, 'Bad Request', 'The request was malformed.'],
    [401, 'Unauthorized', 'You are not authorized to perform the requested action.'],
    [402, 'Payment Method Failure', 'Your payment method was declined. Try another.'],
    [403, 'Forbidden', 'The requested API is forbidden.'],
    [404, 'Not Found', 'The requested API could not be found.'],
    [422, 'Unprocessable Content', 'The requested API was not processable.'],
    [500, 'Internal Server Error', 'An unexpected error occurred on the server.'],
    [409, 'Error', 'An unexpected error occurred.'],
    [503, 'Error', 'An unexpected error occurred.'],
    [null, 'Network Error', 'Failed to connect to the server. Please check your connection.'],
  ])('status %s reads %s', (status, title, body) => {
    expect(failureText(status)).toEqual({ title, body })
  })

  const failed = (status: number) =>
    failureDetail(
      new HttpFailure(status, { title: null, detail: 'The router is RUNNING: stop it first.', code: null, errors: [] }),
    )

  test('a refusal that a person can fix carries the sentence of the server', () => {
    expect(failed(409)).toBe('The router is RUNNING: stop it first.')
  })

  test('what the catalogue says already is not said twice', () => {
    const refused = (detail: string) =>
      failureDetail(new HttpFailure(402, { title: null, detail, code: null, errors: [] }))
    expect(refused('Your payment method was declined. Try another. The card has expired.')).toBe(
      'The card has expired.',
    )
    expect(refused('Your payment method was declined. Try another.')).toBeNull()
  })

  test('a fault of the server does not', () => {
    expect(failed(500)).toBeNull()
  })
})

describe('what is reported', () => {
  test('a canceled request and a skipped view transition are not', () => {
    expect(isReportable(new DOMException('The user aborted a request.', 'AbortError'))).toBe(false)
    expect(isReportable(new DOMException('Transition was skipped', 'AbortError'))).toBe(false)
    expect(isReportable(new DOMException('Transition was aborted because of timeout', 'TimeoutError'))).toBe(false)
    expect(
      isReportable(new DOMException('View transition was skipped because it is hidden.', 'InvalidStateError')),
    ).toBe(false)
    expect(isReportable(new DOMException('Skipping view transition because it is hidden.', 'InvalidStateError'))).toBe(
      false,
    )
    expect(isReportable(new DOMException('The operation timed out.', 'TimeoutError'))).toBe(true)
  })

  test('anything else is', () => {
    expect(isReportable(new TypeError('x is undefined'))).toBe(true)
    expect(isReportable(new DOMException('no such element', 'InvalidStateError'))).toBe(true)
  })
})

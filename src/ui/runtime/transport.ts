/** How the browser calls the API: one place for cookies, CSRF, failures and response headers. */
import { HttpFailure, isCancellation, readFailure, unreachable, unreadable } from './http-failure.ts'

export interface CallOptions {
  /** Cancels the request: the promise rejects with fetch's `AbortError`, and no notification is shown. */
  readonly signal?: AbortSignal
  /** False: the caller shows the failure itself. A function decides it for each failure. */
  readonly notify?: boolean | ((failure: HttpFailure) => boolean)
  /** The same key with the same body is executed once, however often it is sent. */
  readonly idempotencyKey?: string
}

export interface Call extends CallOptions {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body?: unknown
}

export interface Surroundings {
  readonly fetch: typeof fetch
  readonly cookies: () => string
  /** Sent with every request. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** Called with every error response; true: it is handled, and nothing else is notified. */
  readonly isSeenTo?: (failure: HttpFailure) => boolean
  /** Called with every failed request, unless it was canceled or its caller opted out. */
  readonly onFailure: (failure: HttpFailure) => void
}

/** Sees every response before its caller does; must not read the body. */
export type ResponseObserver = (
  response: Response,
  request: { readonly method: string; readonly target: string },
) => void

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
/**
 * The pause before a read without a response is sent again: a connection that the server was just closing is gone by
 * then.
 */
const SECOND_TRY_AFTER_MS = 300

/** Returns the token that an unsafe request sends back to show that it comes from our own page. */
export function csrfToken(cookies: string): string | null {
  const found = /(?:^|;\s*)CSRF-TOKEN=([^;]*)/.exec(cookies)?.[1]
  return found ? decodeURIComponent(found) : null
}

export const isNotified = (notify: CallOptions['notify'], failure: HttpFailure): boolean =>
  typeof notify === 'function' ? notify(failure) : notify !== false

const hasNoAnswer = (error: unknown): boolean => error instanceof HttpFailure && error.status === null

/** A connection may break before the response or in the middle of it. */
async function arrived<T>(coming: Promise<T>): Promise<T> {
  try {
    return await coming
  } catch (error) {
    throw isCancellation(error) ? error : unreachable(error)
  }
}

/** One broken connection is no outage: a read is sent once more. */
export async function withSecondTry<T>(
  isWithoutAnswer: (error: unknown) => boolean,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isWithoutAnswer(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, SECOND_TRY_AFTER_MS))
    return read()
  }
}

export function createTransport(around: Surroundings) {
  const observers = new Set<ResponseObserver>()

  /** `fetch` with our cookies, the CSRF header and the observers, for libraries that bring their own protocol. */
  const apiFetch: typeof fetch = async (input, init = {}) => {
    const method = (init.method ?? 'GET').toUpperCase()
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(around.headers?.() ?? {})) headers.set(name, value)
    const token = SAFE.has(method) ? null : csrfToken(around.cookies())
    if (token !== null) headers.set('x-csrf-token', token)
    const response = await around.fetch(input, { ...init, method, headers, credentials: 'same-origin' })
    const target = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
    for (const observe of observers) observe(response, { method, target })
    return response
  }

  async function exchange(call: Call): Promise<unknown> {
    const headers = new Headers({ accept: 'application/json, application/problem+json' })
    if (call.body !== undefined) headers.set('content-type', 'application/json')
    if (call.idempotencyKey !== undefined) headers.set('idempotency-key', call.idempotencyKey)
    const response = await arrived(
      apiFetch(call.target, {
        method: call.method,
        headers,
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        ...(call.signal ? { signal: call.signal } : {}),
      }),
    )
    if (!response.ok) throw await readFailure(response)
    const text = await arrived(response.text())
    try {
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      throw unreadable(response, error)
    }
  }

  return {
    apiFetch,
    observeResponses: (observer: ResponseObserver): (() => void) => {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    send: async (call: Call): Promise<unknown> => {
      try {
        return await (call.method === 'GET' ? withSecondTry(hasNoAnswer, () => exchange(call)) : exchange(call))
      } catch (error) {
        if (error instanceof HttpFailure) error.operation = `${call.method} ${call.target.split('?', 1)[0]}`
        if (error instanceof HttpFailure && !around.isSeenTo?.(error) && isNotified(call.notify, error))
          around.onFailure(error)
        throw error
      }
    },
  }
}

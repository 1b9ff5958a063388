/** Turns the API into typed functions. Contracts are imported as types only: no schema reaches the browser. */
import type { QueryFunctionContext } from '@tanstack/react-query'
import type { Answer, Api, Input } from '../../kernel/endpoint.ts'
import type { Topic } from '../../kernel/change-topics.ts'
import { impersonationHeaders, isOutOfDate } from './impersonation.ts'
import { failureDetail, failureReference, failureText } from './error-catalogue.ts'
import type { HttpFailure } from './http-failure.ts'
import { notify, type Notification } from './notifications.ts'
import { createTransport, isNotified, type CallOptions } from './transport.ts'

const transport = createTransport({
  fetch: (input, init) => fetch(input, init),
  cookies: () => document.cookie,
  headers: impersonationHeaders,
  isSeenTo: isOutOfDate,
  onFailure: showFailure,
})
/** Failures that have been shown. */
const shown = new WeakSet<HttpFailure>()

/** Shows a failure once: a page that shows what it could not read reports it, unless the request already did. */
export function showFailure(failure: HttpFailure): void {
  if (shown.has(failure)) return
  shown.add(failure)
  notify({
    type: 'error',
    ...failureText(failure.status),
    detail: failureDetail(failure),
    reference: failureReference(failure),
  })
}
export const { apiFetch, observeResponses } = transport

type Arguments<E> =
  unknown extends Input<E>
    ? [input?: undefined]
    : Record<never, never> extends Input<E>
      ? [input?: Input<E>]
      : [input: Input<E>]

/** `call['POST /api/session']({ body }, options)` */
export type Calls<A extends Api> = {
  readonly [K in keyof A]: (...args: [...Arguments<A[K]>, options?: CallOptions]) => Promise<Answer<A[K]>>
}

/** `query['GET /api/sessions']()`: the argument of `useSuspenseQuery` and of a route's loader. */
export type Queries<A extends Api> = {
  readonly [K in keyof A as K extends `GET ${string}` ? K : never]: (...args: Arguments<A[K]>) => Query<Answer<A[K]>>
}

export interface Query<T> {
  readonly queryKey: readonly [key: string, input?: object]
  readonly queryFn: (context: Pick<QueryFunctionContext, 'signal' | 'client' | 'queryKey'>) => Promise<T>
  readonly meta: { readonly topics: readonly Topic[] }
}

export interface ClientOptions<A extends Api> {
  /** The topics whose change events make a response stale. */
  readonly topics?: { readonly [K in keyof A]?: readonly Topic[] }
  /** For requests that cost money: replaces the catalogue's text for 402; null keeps it. */
  readonly demand?: (failure: HttpFailure) => Notification | null
}

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly body?: unknown
}

export function createClient<A extends Api>(options: ClientOptions<A> = {}): { call: Calls<A>; query: Queries<A> } {
  const send = (key: string, input: AnyInput | undefined, callOptions: CallOptions | undefined): Promise<unknown> => {
    const [method, path] = key.split(' ') as [string, string]
    const reported = options.demand ? { ...callOptions, notify: showDemand(options.demand, callOptions) } : callOptions
    return transport.send({ ...reported, method, target: targetOf(path, input), body: input?.body })
  }
  const changeEvent = (options.topics ?? {}) as Readonly<Record<string, readonly Topic[]>>
  return {
    call: byKey((key) => (input?: AnyInput, callOptions?: CallOptions) => send(key, input, callOptions)) as Calls<A>,
    query: byKey((key) => (input?: AnyInput): Query<unknown> => ({
      queryKey: input === undefined ? [key] : [key, input],
      // Reads that nothing on screen waits for fail silently: a hovered link, a page that was left. Otherwise the page
      // that cannot be shown reports it in its place (RouteError, SectionErrorBoundary).
      queryFn: ({ signal, client, queryKey }) =>
        send(key, input, { signal, notify: () => isShown(client.getQueryCache().find({ queryKey, exact: true })) }),
      meta: { topics: changeEvent[key] ?? [] },
    })) as Queries<A>,
  }
}

/** Shows a payment issue itself; the caller and the catalogue handle other failures. */
const showDemand =
  (demandOf: (failure: HttpFailure) => Notification | null, options: CallOptions | undefined) =>
  (failure: HttpFailure): boolean => {
    const asked = isNotified(options?.notify, failure)
    const demand = demandOf(failure)
    if (asked && demand) notify(demand)
    return asked && demand === null
  }

const isShown = (query: { getObserversCount: () => number } | undefined): boolean =>
  (query?.getObserversCount() ?? 0) > 0

/** Returns an object that makes every property from the property's own name. */
const byKey = (make: (key: string) => unknown): object =>
  new Proxy({}, { get: (_, key) => (typeof key === 'string' ? make(key) : undefined) })

/** Fills `{id}` in the path and appends the query; undefined values are left out. */
export function targetOf(path: string, input: AnyInput | undefined): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input?.params?.[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input?.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query.toString()}` : filled
}

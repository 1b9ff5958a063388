/** The border as typed functions. Contracts are imported as types alone: no schema reaches the browser. */
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
  onFailure: tellFailure,
})
/** Failures that people have been told of. */
const told = new WeakSet<HttpFailure>()

/** Shows a failure, once: a screen that shows what it could not read tells of it, unless the call did already. */
export function tellFailure(failure: HttpFailure): void {
  if (told.has(failure)) return
  told.add(failure)
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

/** `query['GET /api/sessions']()`: what `useSuspenseQuery` and a route's loader take. */
export type Queries<A extends Api> = {
  readonly [K in keyof A as K extends `GET ${string}` ? K : never]: (...args: Arguments<A[K]>) => Query<Answer<A[K]>>
}

export interface Query<T> {
  readonly queryKey: readonly [key: string, input?: object]
  readonly queryFn: (context: Pick<QueryFunctionContext, 'signal' | 'client' | 'queryKey'>) => Promise<T>
  readonly meta: { readonly topics: readonly Topic[] }
}

export interface ClientOptions<A extends Api> {
  /** The nouns whose news make an answer stale. */
  readonly topics?: { readonly [K in keyof A]?: readonly Topic[] }
  /** Of calls that cost money: what 402 says in place of the catalogue; null leaves it to that. */
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
    const reported = options.demand ? { ...callOptions, notify: tellDemand(options.demand, callOptions) } : callOptions
    return transport.send({ ...reported, method, target: targetOf(path, input), body: input?.body })
  }
  const changeEvent = (options.topics ?? {}) as Readonly<Record<string, readonly Topic[]>>
  return {
    call: byKey((key) => (input?: AnyInput, callOptions?: CallOptions) => send(key, input, callOptions)) as Calls<A>,
    query: byKey((key) => (input?: AnyInput): Query<unknown> => ({
      queryKey: input === undefined ? [key] : [key, input],
      // What nothing on screen waits for fails in silence: a hovered link, a screen that was left. Else the screen that
      // cannot be shown tells of it in its place (RouteError, SectionErrorBoundary).
      queryFn: ({ signal, client, queryKey }) =>
        send(key, input, { signal, notify: () => isShown(client.getQueryCache().find({ queryKey, exact: true })) }),
      meta: { topics: changeEvent[key] ?? [] },
    })) as Queries<A>,
  }
}

/** Tells of a demand itself; what else failed is left to the caller and the catalogue. */
const tellDemand =
  (demandOf: (failure: HttpFailure) => Notification | null, options: CallOptions | undefined) =>
  (failure: HttpFailure): boolean => {
    const asked = isNotified(options?.notify, failure)
    const demand = demandOf(failure)
    if (asked && demand) notify(demand)
    return asked && demand === null
  }

const isShown = (query: { getObserversCount: () => number } | undefined): boolean =>
  (query?.getObserversCount() ?? 0) > 0

/** An object whose every property is made from the property's own name. */
const byKey = (make: (key: string) => unknown): object =>
  new Proxy({}, { get: (_, key) => (typeof key === 'string' ? make(key) : undefined) })

/** Fills `{id}` in the path and appends the query; what is undefined is left out. */
export function targetOf(path: string, input: AnyInput | undefined): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input?.params?.[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input?.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query.toString()}` : filled
}

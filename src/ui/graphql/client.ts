/** The client of the staff's GraphQL API. It loads with the first staff page: customers never fetch it. */
import {
  ApolloClient,
  ApolloLink,
  HttpLink,
  InMemoryCache,
  RefetchEventManager,
  windowFocusSource,
  type ObservableQuery,
  type OperationVariables,
  type TypedDocumentNode,
} from '@apollo/client'
import { cacheSizes } from '@apollo/client/utilities'
import { fromEvent, merge } from 'rxjs'
import type { Topic } from '../../kernel/change-topics.ts'
import { apiFetch } from '../runtime/client.ts'
import { isCancellation } from '../runtime/http-failure.ts'
import { withSecondTry } from '../runtime/transport.ts'
import { findUnshownIn } from '../runtime/unshown-reads.ts'
import { onChangeEvent } from '../live/event-stream.ts'
import { session } from '../runtime/session.ts'
import { createErrorLink } from './error-link.ts'
import { mergePages } from './merge-pages.ts'

/** Applies to caches created later, so it comes before the client. */
cacheSizes['documentTransform.cache'] = 2000

/** Change events come in bursts: one request covers them all. */
const CHANGE_DEBOUNCE_MS = 250
/** Topics that no staff page shows. */
const IGNORED_TOPICS = new Set<string>([
  'session',
  'mail',
  'outgoing_event',
  'password_reset',
  'prefix_check',
] satisfies Topic[])

/** All operations of staff only read. */
const fetchTwice: typeof fetch = (input, init) =>
  withSecondTry(
    (error) => !isCancellation(error),
    () => apiFetch(input, init),
  )

/** Responses that are still current: loaders need not request them again. */
const current = new Set<string>()

export const apollo: ApolloClient = new ApolloClient({
  cache: new InMemoryCache({
    typePolicies: {
      Query: {
        fields: {
          users: { keyArgs: ['since', 'wantsCustomers', 'suspended', 'search', 'sort'], merge: mergePages },
          transitPrefixes: { keyArgs: ['status', 'search', 'sort'], merge: mergePages },
        },
      },
      Hypervisor: { fields: { routers: { keyArgs: false, merge: mergePages } } },
      User: { fields: { routers: { merge: true } } },
      // It has no id: the fields that different queries select for one user are merged.
      IpTransit: { merge: true },
    },
  }),
  link: ApolloLink.from([createErrorLink(), new HttpLink({ uri: '/api/graphql', fetch: fetchTwice })]),
  refetchEventManager: new RefetchEventManager({
    // The library notices tabs that come to the front; a window beside another one only gets the focus.
    sources: { windowFocus: () => merge(windowFocusSource(), fromEvent(window, 'focus')) },
    defaultHandler: ({ matchesRefetchOn }) => readAgain(matchesRefetchOn),
  }),
  defaultOptions: {
    watchQuery: { fetchPolicy: 'cache-first', refetchOn: false },
    react: { suspense: { autoDisposeTimeoutMs: 30_000 } },
  },
})

/**
 * Awaited by a route's loader; the page then finds the result in the cache. Requests again only after a change event.
 */
export async function load<Data, Variables extends OperationVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const key = JSON.stringify([query.definitions, variables])
  const { answer } = loading.get(key) ?? begin(key)
  return (await answer) as Data

  function begin(name: string): Loading {
    const controller = new AbortController()
    const { signal } = controller
    const asked = apollo.query<Data, OperationVariables>({
      query,
      variables,
      fetchPolicy: current.has(name) ? 'cache-first' : 'network-only',
      context: { isLoaders: true, fetchOptions: { signal } },
    })
    const started: Loading = {
      controller,
      answer: asked
        .then(({ data }) => {
          // A canceled request completes without a result.
          signal.throwIfAborted()
          current.add(name)
          return data
        })
        .finally(() => {
          if (loading.get(name) === started) loading.delete(name)
        }),
    }
    loading.set(name, started)
    return started
  }
}

/** Loads under way, by query: two loaders with the same query share one request. */
interface Loading {
  readonly controller: AbortController
  readonly answer: Promise<unknown>
}
const loading = new Map<string, Loading>()

findUnshownIn(() => {
  const found = [...loading]
  return () => {
    for (const [key, one] of found) {
      if (loading.get(key) !== one) continue
      loading.delete(key)
      one.controller.abort()
    }
  }
})

/**
 * Refetches what is on screen. A failure changes nothing: the data stay, and the stream's state says that they may be
 * old.
 */
export function readAgain(matches: (query: ObservableQuery) => boolean = () => true): void {
  for (const observed of apollo.getObservableQueries('active')) {
    const { query, variables } = observed
    if (matches(observed)) apollo.query({ query, variables, fetchPolicy: 'network-only' }).catch(() => undefined)
  }
}

/** Called after the user's own change: nothing that was loaded is current any more. */
export function invalidateCache(): void {
  current.clear()
  readAgain()
}

let waiting: ReturnType<typeof setTimeout> | undefined
onChangeEvent((changeEvent) => {
  if (changeEvent !== 'resync' && IGNORED_TOPICS.has(changeEvent.type)) return
  current.clear()
  clearTimeout(waiting)
  waiting = setTimeout(readAgain, CHANGE_DEBOUNCE_MS)
})

// One user must not see another's data.
let owner = session.current()?.id
session.subscribe(() => {
  const id = session.current()?.id
  if (id === owner) return
  owner = id
  current.clear()
  void apollo.clearStore()
})

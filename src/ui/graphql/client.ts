/** The client of the staff's GraphQL API. Loaded with the first staff screen: customers never fetch it. */
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

/** Counts for caches that are made later, so it stands before the client. */
cacheSizes['documentTransform.cache'] = 2000

/** News come in bursts: one answer for all of them. */
const CHANGE_DEBOUNCE_MS = 250
/** Nouns that no screen of staff shows. */
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

/** Answers that nothing has contradicted since: what the loaders need not ask again. */
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
      // It has no id of its own: different questions about one user's add up.
      IpTransit: { merge: true },
    },
  }),
  link: ApolloLink.from([createErrorLink(), new HttpLink({ uri: '/api/graphql', fetch: fetchTwice })]),
  refetchEventManager: new RefetchEventManager({
    // The library hears of tabs that are shown again; a window beside another one gets the focus without that.
    sources: { windowFocus: () => merge(windowFocusSource(), fromEvent(window, 'focus')) },
    defaultHandler: ({ matchesRefetchOn }) => readAgain(matchesRefetchOn),
  }),
  defaultOptions: {
    watchQuery: { fetchPolicy: 'cache-first', refetchOn: false },
    react: { suspense: { autoDisposeTimeoutMs: 30_000 } },
  },
})

/** What a route's loader awaits; the screen then finds it in the cache. Asks again only if news have come since. */
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
          // What was called off completes without an answer.
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

/** Of loaders, by question: two that ask the same share one answer. */
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

/** Reads what is on screen anew. Fails softly: what is shown stays, and the stream's state says that it may be old. */
export function readAgain(matches: (query: ObservableQuery) => boolean = () => true): void {
  for (const observed of apollo.getObservableQueries('active')) {
    const { query, variables } = observed
    if (matches(observed)) apollo.query({ query, variables, fetchPolicy: 'network-only' }).catch(() => undefined)
  }
}

/** After a change of one's own: nothing that was loaded may be believed. */
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

// What one person loaded is nothing for the next.
let owner = session.current()?.id
session.subscribe(() => {
  const id = session.current()?.id
  if (id === owner) return
  owner = id
  current.clear()
  void apollo.clearStore()
})

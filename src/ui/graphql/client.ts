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

/** Answers that nothing has contradicted since: what the loaders need not ask again. */
const current = new Set<string>()

export const apollo: ApolloClient = new ApolloClient({
  cache: new InMemoryCache({
    typePolicies: {
      Query: {
        fields: {
          users: { keyArgs: ['since', 'wantsCustomers', 'search'], merge: mergePages },
          transitPrefixes: { keyArgs: ['status', 'search'], merge: mergePages },
        },
      },
      Hypervisor: { fields: { routers: { keyArgs: false, merge: mergePages } } },
      User: { fields: { routers: { merge: true } } },
      // It has no id of its own: different questions about one user's add up.
      IpTransit: { merge: true },
    },
  }),
  link: ApolloLink.from([createErrorLink(), new HttpLink({ uri: '/api/graphql', fetch: apiFetch })]),
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
  const { data } = await apollo.query<Data, OperationVariables>({
    query,
    variables,
    fetchPolicy: current.has(key) ? 'cache-first' : 'network-only',
  })
  current.add(key)
  return data as Data
}

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

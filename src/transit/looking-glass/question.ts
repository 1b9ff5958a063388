/** The queries from web processes to an edge, and the answers of the worker that drives it, both stored in `edge_questions`. */
import type { CandidateRoute, ReceivedRoute, SeenRoute } from '../../drivers/edge/index.ts'
import { comparePrefixes, overlaps, parsePrefix, prefixOfBeginning, tryParsePrefix } from '../../kernel/prefix.ts'

export type RouteState = 'accepted' | 'refused'

export interface ReceivedQuestion {
  readonly kind: 'received'
  readonly connectionId: number
  readonly state?: RouteState | undefined
  readonly search?: string | undefined
  /** `next` of the previous page. */
  readonly after?: string | undefined
  readonly limit: number
}
export interface SentQuestion {
  readonly kind: 'sent'
  readonly connectionId: number
  /** Canonical text. */
  readonly within?: string | undefined
  readonly limit: number
}
export interface CandidatesQuestion {
  readonly kind: 'candidates'
  readonly target: string
}
export type EdgeQuestion = ReceivedQuestion | SentQuestion | CandidatesQuestion

/** Times are text, because the value comes back from JSON. */
type Written<R extends SeenRoute> = Omit<R, 'since'> & { readonly since: string | null }

export interface ReceivedAnswer {
  readonly routes: readonly Written<ReceivedRoute>[]
  readonly next: string | null
  readonly accepted: number
  readonly refused: number
  readonly complete: boolean
}
export interface ListAnswer<R extends SeenRoute> {
  readonly routes: readonly Written<R>[]
  readonly complete: boolean
}
export type AnswerTo<Q extends EdgeQuestion> = Q extends ReceivedQuestion
  ? ReceivedAnswer
  : Q extends SentQuestion
    ? ListAnswer<SeenRoute>
    : ListAnswer<CandidateRoute>

export const written = <R extends SeenRoute>(route: R): Written<R> => ({
  ...route,
  since: route.since?.toISOString() ?? null,
})

/** The sort key of a route in the list: rejected routes first, then by prefix. */
const placeOf = ({ accepted, prefix }: Pick<ReceivedRoute, 'accepted' | 'prefix'>): string =>
  `${accepted ? 'a' : 'r'}-${prefix}`

const comparePlaces = (a: string, b: string): number =>
  a[0] === b[0] ? comparePrefixes(parsePrefix(a.slice(2)), parsePrefix(b.slice(2))) : a[0] === 'r' ? -1 : 1

export function pageOfReceived(
  { routes, complete }: { readonly routes: readonly ReceivedRoute[]; readonly complete: boolean },
  { state, search, after, limit }: Omit<ReceivedQuestion, 'kind' | 'connectionId'>,
): ReceivedAnswer {
  const found = routes
    .filter((route) => state === undefined || route.accepted === (state === 'accepted'))
    .filter(({ prefix }) => search === undefined || fits(prefix, search))
    .filter((route) => after === undefined || comparePlaces(placeOf(route), after) > 0)
    .toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b)))
  const shown = found.slice(0, limit)
  const accepted = routes.filter((route) => route.accepted).length
  return {
    routes: shown.map(written),
    next: found.length > limit ? placeOf(shown.at(-1)!) : null,
    accepted,
    refused: routes.length - accepted,
    complete,
  }
}

/** For a prefix or the beginning of one, matches what covers it or is inside it. For other text, matches prefixes that contain it. */
function fits(prefix: string, search: string): boolean {
  const wanted = tryParsePrefix(search) ?? tryParsePrefix(prefixOfBeginning(search) ?? '')
  return wanted ? overlaps(parsePrefix(prefix), wanted) : prefix.includes(search.toLowerCase())
}

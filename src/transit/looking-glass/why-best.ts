/** Explains why a route was preferred, in the order in which the edge decides (RFC 4271 section 9.1.2). */
import type { CandidateRoute } from '../../drivers/edge/index.ts'

type Compared = Pick<
  CandidateRoute,
  'asPath' | 'source' | 'preference' | 'localPreference' | 'originType' | 'med' | 'blackhole'
>

const pathLength = (asPath: string): number =>
  // An AS_SET counts as one AS (RFC 4271 section 9.1.2.2).
  asPath
    .replaceAll(/\{[^}]*\}/g, '{}')
    .split(/\s+/)
    .filter(Boolean).length

const ORIGIN_ORDER = { IGP: 0, EGP: 1, INCOMPLETE: 2 } as const

/** Returns the first criterion by which `best` beats `other`. */
export function whyBetter(best: Compared, other: Compared): string {
  if (best.preference !== other.preference) return `The edge prefers its own routes to those of BGP.`
  const preferred = best.localPreference ?? 100
  const passed = other.localPreference ?? 100
  if (preferred !== passed) return `Higher local preference: ${preferred}, not ${passed}.`
  const [near, far] = [pathLength(best.asPath), pathLength(other.asPath)]
  if (near !== far) return `Shorter AS path: ${near}, not ${far}.`
  const order = (route: Compared): number => (route.originType === null ? 2 : ORIGIN_ORDER[route.originType])
  if (order(best) !== order(other)) return `Better origin: ${best.originType}, not ${other.originType}.`
  const [low, high] = [best.med ?? 0, other.med ?? 0]
  if (low !== high && firstAsn(best) === firstAsn(other)) return `Lower MED: ${low}, not ${high}.`
  return 'Equal in all that counts: the neighbor with the lower router ID wins.'
}

const firstAsn = ({ asPath }: Compared): string | undefined => asPath.split(/\s+/)[0]

/** Returns one reason for each route, in the same order. */
export function reasons(routes: readonly (Compared & Pick<CandidateRoute, 'best'>)[]): string[] {
  const best = routes.find((route) => route.best)
  return routes.map((route) => {
    if (best === undefined) return 'The edge uses none of them.'
    if (route !== best) return `Not used. The best has: ${lowerFirst(whyBetter(best, route))}`
    const other = routes.find((one) => one !== best)
    return other === undefined ? 'The only route.' : whyBetter(best, other)
  })
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

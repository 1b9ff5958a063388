/** Limits and texts of maintenance windows, for the server and the screens. */

export const MAINTENANCE_EFFECTS = ['AT_RISK', 'SESSIONS_DOWN', 'ROUTERS_DOWN'] as const
export type MaintenanceEffect = (typeof MAINTENANCE_EFFECTS)[number]
export const EFFECT_TEXT: Readonly<Record<MaintenanceEffect, string>> = {
  AT_RISK: 'Short interruptions are possible.',
  SESSIONS_DOWN: 'BGP sessions go down for some minutes.',
  ROUTERS_DOWN: 'Routers are down for some minutes, and their BGP sessions with them.',
}

export const MAINTENANCE_STATES = ['UPCOMING', 'UNDER_WAY', 'PAST', 'CANCELLED'] as const
export type MaintenanceState = (typeof MAINTENANCE_STATES)[number]

export const MAINTENANCE_DAYS_MAX = 7
/** Further ahead, a date without its year would be ambiguous. */
export const MAINTENANCE_AHEAD_DAYS_MAX = 180

export function maintenanceStateOf(
  { starts_at, ends_at, cancelled_at }: { starts_at: Date; ends_at: Date; cancelled_at: Date | null },
  now: Date,
): MaintenanceState {
  if (cancelled_at !== null) return 'CANCELLED'
  if (ends_at <= now) return 'PAST'
  return starts_at <= now ? 'UNDER_WAY' : 'UPCOMING'
}

/** `24 Nov 02:00–04:00`, with both days where it ends on another day. In the reader's time zone if none is given. */
export function timeSpan(from: Date, to: Date, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...zone })
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone })
  const [first, last] = [day.format(from), day.format(to)]
  return `${first} ${time.format(from)}${first === last ? '–' : ` – ${last} `}${time.format(to)}`
}

/** A router of a customer that maintenance affects. */
export interface MaintenancePlace {
  readonly site: string
  /** The edge under maintenance that carries the BGP sessions of this router. */
  readonly edge: string | null
}

/** `on Edge 1 in Amsterdam and in Frankfurt` */
export function placeText(routers: readonly MaintenancePlace[]): string {
  const onEdge = new Set(routers.flatMap(({ site, edge }) => (edge === null ? [] : [site])))
  const parts = routers.flatMap(({ site, edge }) => {
    if (edge !== null) return [edge.includes(site) ? `on ${edge}` : `on ${edge} in ${site}`]
    return onEdge.has(site) ? [] : [`in ${site}`]
  })
  const [on, rest] = [parts.filter((part) => part.startsWith('on ')), parts.filter((part) => part.startsWith('in '))]
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(new Set([...on, ...rest]))
}

/** Computes what a load would change on the edge, and whether that is too much to load without confirmation by staff. */
import { createHash } from 'node:crypto'
import type { CarriedCustomer } from '../../drivers/edge/index.ts'
import type { PrefixStatus } from '../states.ts'

/** The origin, or that the edge originates the prefix. */
type Origin = number | 'static'

export interface PrefixEntry {
  readonly prefix: string
  readonly origin: Origin
}

export interface CustomerChange {
  /** The id of the connection. */
  readonly id: number
  readonly asn: number
  readonly what: 'added' | 'removed' | 'enabled' | 'disabled' | 'changed'
  readonly added: readonly PrefixEntry[]
  readonly removed: readonly PrefixEntry[]
}

/** A prefix as it was when the edge was reverted. */
export interface RevertedPrefix {
  readonly id: number
  readonly status: PrefixStatus
  readonly decidedAt: string | null
}

const entriesOf = (customer: CarriedCustomer | undefined): PrefixEntry[] =>
  customer === undefined
    ? []
    : [...customer.accept, ...customer.statics.map((prefix) => ({ prefix, origin: 'static' as const }))]

export const entryKey = ({ prefix, origin }: PrefixEntry): string => `${prefix} ${origin}`

export function compareCarried(
  before: readonly CarriedCustomer[],
  after: readonly CarriedCustomer[],
): CustomerChange[] {
  const was = new Map(before.map((one) => [one.id, one]))
  const is = new Map(after.map((one) => [one.id, one]))
  const changes: CustomerChange[] = []
  for (const id of [...new Set([...was.keys(), ...is.keys()])].toSorted((a, b) => a - b)) {
    const [from, to] = [was.get(id), is.get(id)]
    if (from === to) continue
    const [old, now] = [entriesOf(from), entriesOf(to)]
    const oldKeys = new Set(old.map(entryKey))
    const nowKeys = new Set(now.map(entryKey))
    const added = now.filter((entry) => !oldKeys.has(entryKey(entry)))
    const removed = old.filter((entry) => !nowKeys.has(entryKey(entry)))
    const what = kindOf(from, to)
    if (what === 'changed' && from!.asn === to!.asn && added.length + removed.length === 0) continue
    changes.push({ id, asn: (to ?? from)!.asn, what, added, removed })
  }
  return changes
}

function kindOf(from: CarriedCustomer | undefined, to: CarriedCustomer | undefined): CustomerChange['what'] {
  if (!from) return 'added'
  if (!to) return 'removed'
  if (from.enabled === to.enabled) return 'changed'
  return to.enabled ? 'enabled' : 'disabled'
}

export interface ShrinkFacts {
  readonly before: readonly CarriedCustomer[]
  readonly changes: readonly CustomerChange[]
  /**
   * Connections that a person took from this edge: they moved to another edge, staff suspended the account, or the
   * customer switched the sessions off.
   */
  readonly decided: ReadonlySet<number>
  /** Routes that the edge accepts now, by {@link routeKey}. */
  readonly accepted: ReadonlySet<string>
  /** The share that may be dropped, from 0 to 1. */
  readonly limit: number
}

export interface Shrink {
  /** How much of what would be dropped, as text. */
  readonly why: string
  /** A digest of everything that would be dropped. */
  readonly digest: string
}

export const routeKey = (connectionId: number, prefix: string): string => `${connectionId} ${prefix}`

/**
 * Smaller drops are ignored: in a small network even one is a large share, and one customer leaving is no accident. All
 * customers leaving at once counts as soon as there are two.
 */
const AT_LEAST = { prefixes: 10, customers: 5, 'accepted routes': 10 } as const
const MANY_CUSTOMERS = 2

/**
 * Returns null when the load may proceed. Prefixes of disabled customers count as dropped. Prefixes that the edge
 * originates do not count: they go whenever a router stops, which must not wait for staff.
 */
export function shrinkOf({ before, changes, decided, accepted, limit }: ShrinkFacts): Shrink | null {
  const enabled = before.filter((one) => one.enabled && !decided.has(one.id))
  const byId = new Map(enabled.map((one) => [one.id, one]))
  const lost = changes.filter(({ id, what }) => byId.has(id) && (what === 'removed' || what === 'disabled'))
  const gone = changes
    .filter(({ id }) => byId.has(id))
    .flatMap(({ id, what, removed }) =>
      (what === 'disabled' ? byId.get(id)!.accept : removed.filter(({ origin }) => origin !== 'static')).map(
        (entry) => ({
          id,
          entry,
        }),
      ),
    )
  const prefixes = new Set(gone.map(({ id, entry }) => `${id} ${entryKey(entry)}`))
  const routes = new Set(gone.map(({ id, entry }) => routeKey(id, entry.prefix)).filter((key) => accepted.has(key)))
  const measures = [
    ['prefixes', prefixes.size, enabled.reduce((sum, { accept }) => sum + accept.length, 0)],
    ['customers', lost.length, enabled.length],
    ['accepted routes', routes.size, accepted.size],
  ] as const
  const concerned = new Set([...gone, ...lost].map(({ id }) => id)).size
  const over = measures.filter(
    ([what, dropped, of]) =>
      dropped > limit * of && (dropped >= AT_LEAST[what] || (dropped === of && concerned >= MANY_CUSTOMERS)),
  )
  if (over.length === 0) return null
  const hash = createHash('sha256')
  for (const key of [...prefixes, ...lost.map(({ id }) => `${id}`)].toSorted()) hash.update(`${key}\n`)
  return {
    why: `This load would drop ${over.map(([what, dropped, of]) => `${dropped} of ${of} ${what}`).join(', ')}.`,
    digest: hash.digest('hex'),
  }
}

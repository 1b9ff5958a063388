/** A cache of AS-SETs and of aut-num objects in registries. Expanding a set may take seconds and serves many prefixes. */
import {
  IrrError,
  type AsSetObject,
  type AutNumObject,
  type ExpandedAsSet,
  type IrrSource,
} from '../../../drivers/irr/index.ts'
import { RegistryError } from '../../../drivers/registry/index.ts'
import type { PeeringDbNetworks } from '../../../drivers/registry/peeringdb-networks.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { judgeOwnership, readPeeringDbNames, type SetOwnership } from '../../downstreams/ownership.ts'

export type AsSetAnswer =
  | {
      readonly status: 'VALID'
      readonly set: ExpandedAsSet
      readonly asns: ReadonlySet<number>
      readonly complete: boolean
      readonly asOf: Date
    }
  /** `sources`: several registries have a set of this name, so it is ambiguous. */
  | { readonly status: 'NOT_FOUND'; readonly sources: readonly string[]; readonly asOf: Date }
  | { readonly status: 'UNKNOWN' }

/** No method throws when a source is unavailable. The result is then `UNKNOWN`, or null. */
export interface AsSets {
  expand(name: string): Promise<AsSetAnswer>
  autNums(asn: number): Promise<readonly AutNumObject[] | null>
  ownership(customerAsn: number, set: AsSetObject): Promise<SetOwnership>
}

export interface RememberedAsSets extends AsSets {
  /** The same for one check, which reads again whatever was read before then. */
  since(then: Date): AsSets & {
    /**
     * When the oldest object it returned was read; null while it returned none. PeeringDB’s texts do not count, as they
     * change once in years.
     */
    oldest(): Date | null
  }
}

export interface AsSetSources {
  readonly irr: IrrSource
  readonly networks: PeeringDbNetworks
  readonly clock: Clock
  /** Maintainers that hosting providers use for many customers. */
  readonly sharedMaintainers: readonly string[]
}

/** Registries mirror each other within minutes. Querying more often would only load them. */
const CACHE_MS = 10 * 60_000
const MAX_CACHED = 500
/** Large sets are expanded over many round trips. */
const DEADLINE_MS = 15_000
/** A user waits for some of these. */
const OBJECT_DEADLINE_MS = 4_000

export function createAsSets({ irr, networks, clock, sharedMaintainers }: AsSetSources): RememberedAsSets {
  const sets = remembering<string, AsSetAnswer>(clock, ({ status }) => status !== 'UNKNOWN')
  const numbers = remembering<number, readonly AutNumObject[] | null>(clock, (answer) => answer !== null)
  const peeringDb = async (asn: number) => {
    const answer = await orNull(async () => ({
      text: await networks.asSetOf(asn, AbortSignal.timeout(OBJECT_DEADLINE_MS)),
    }))
    return answer && readPeeringDbNames(answer.text ?? '')
  }
  const since: RememberedAsSets['since'] = (then) => {
    let oldest: Date | null = null
    const noted = <V>({ at, answer }: Remembered<V>): Promise<V> => {
      if (oldest === null || at < oldest) oldest = at
      return answer
    }
    const autNums = (asn: number) =>
      noted(numbers(asn, then, () => orNull(() => irr.autNums(asn, AbortSignal.timeout(OBJECT_DEADLINE_MS)))))
    return {
      oldest: () => oldest,
      expand: (name) => noted(sets(name, then, () => expandNow(irr, name, clock.now()))),
      autNums,
      async ownership(customerAsn, set) {
        const question = { customerAsn, set, sharedMaintainers }
        const byName = judgeOwnership({ ...question, autNums: null, peeringDb: null })
        if (byName.status === 'OWN') return byName
        const known = await autNums(customerAsn)
        const byKeys = judgeOwnership({ ...question, autNums: known, peeringDb: null })
        return byKeys.status === 'OWN'
          ? byKeys
          : judgeOwnership({ ...question, autNums: known, peeringDb: await peeringDb(customerAsn) })
      },
    }
  }
  return { ...since(new Date(0)), since }
}

interface Remembered<V> {
  readonly at: Date
  readonly answer: Promise<V>
}

/** Runs one query at a time for each key, and caches the answer while `isKept` is true and it is recent. */
function remembering<K, V>(clock: Clock, isKept: (answer: V) => boolean) {
  const kept = new Map<K, Remembered<V>>()
  return (key: K, since: Date, ask: () => Promise<V>): Remembered<V> => {
    const at = clock.now()
    const before = kept.get(key)
    if (before && before.at >= since && at.getTime() - before.at.getTime() < CACHE_MS) return before
    const asked = { at, answer: ask() }
    kept.delete(key)
    kept.set(key, asked)
    const oldest = kept.keys().next()
    if (kept.size > MAX_CACHED && !oldest.done) kept.delete(oldest.value)
    // A failed query is repeated at once next time.
    const forget = () => kept.get(key) === asked && kept.delete(key)
    void asked.answer.then((result) => !isKept(result) && forget(), forget)
    return asked
  }
}

async function expandNow(irr: IrrSource, name: string, now: Date): Promise<AsSetAnswer> {
  const set = await orNull(() => irr.expandAsSet(name, AbortSignal.timeout(DEADLINE_MS)))
  if (set === null) return { status: 'UNKNOWN' }
  if (set.kind !== 'found')
    return { status: 'NOT_FOUND', sources: set.kind === 'ambiguous' ? set.sources : [], asOf: now }
  const asns = new Set(set.members.map((member) => member.asn))
  return { status: 'VALID', set, asns, complete: !set.truncated, asOf: now }
}

async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isUnavailable(error)) return null
    throw error
  }
}

/** The source did not answer in time, which says nothing about the object. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof IrrError ||
  error instanceof RegistryError ||
  (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))

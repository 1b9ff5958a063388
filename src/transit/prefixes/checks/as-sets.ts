/** AS-SETs as the IRR expands them, remembered for a while: a set may take seconds and serves many prefixes. */
import { IrrError, type ExpandedAsSet, type IrrSource } from '../../../drivers/irr/index.ts'
import type { Clock } from '../../../kernel/clock.ts'

export type AsSetAnswer =
  | {
      readonly status: 'VALID'
      readonly set: ExpandedAsSet
      readonly asns: ReadonlySet<number>
      readonly complete: boolean
      readonly asOf: Date
    }
  /** `sources`: several registries have one of this name, so that none is meant. */
  | { readonly status: 'NOT_FOUND'; readonly sources: readonly string[]; readonly asOf: Date }
  | { readonly status: 'UNKNOWN' }

export interface AsSets {
  /** Never throws for a source that is away: that is `UNKNOWN`. */
  expand(name: string): Promise<AsSetAnswer>
}

/** Registries mirror each other within minutes; asking more often would only load them. */
const CACHE_MS = 10 * 60_000
const MAX_CACHED = 500
/** Large sets are expanded over many round trips. */
const DEADLINE_MS = 15_000

export function createAsSets(irr: IrrSource, clock: Clock): AsSets {
  const kept = new Map<string, { until: number; answer: Promise<AsSetAnswer> }>()
  return {
    expand(name) {
      const now = clock.now()
      const before = kept.get(name)
      if (before && before.until > now.getTime()) return before.answer
      const answer = expandNow(irr, name, now)
      kept.delete(name)
      kept.set(name, { until: now.getTime() + CACHE_MS, answer })
      const oldest = kept.keys().next()
      if (kept.size > MAX_CACHED && !oldest.done) kept.delete(oldest.value)
      // What could not be asked is asked again at once next time.
      void answer.then(
        (result) => result.status === 'UNKNOWN' && kept.delete(name),
        () => kept.delete(name),
      )
      return answer
    },
  }
}

async function expandNow(irr: IrrSource, name: string, now: Date): Promise<AsSetAnswer> {
  try {
    const set = await irr.expandAsSet(name, AbortSignal.timeout(DEADLINE_MS))
    if (set.kind !== 'found')
      return { status: 'NOT_FOUND', sources: set.kind === 'ambiguous' ? set.sources : [], asOf: now }
    const asns = new Set(set.members.map((member) => member.asn))
    return { status: 'VALID', set, asns, complete: !set.truncated, asOf: now }
  } catch (error) {
    if (isUnavailable(error)) return { status: 'UNKNOWN' }
    throw error
  }
}

/** The source did not answer, or not in time: says nothing about what was asked. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof IrrError ||
  (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))

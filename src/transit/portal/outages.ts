/** When sessions were down, from how they changed state. */
import type { Answer } from '../../kernel/endpoint.ts'
import type { TransitApi } from '../contract.ts'

export type SessionEvent = Answer<TransitApi['GET /api/transit_connection/events']>['events'][number]

export interface Outage {
  readonly id: number
  readonly family: 4 | 6
  readonly from: string
  /** Null while it lasts. */
  readonly to: string | null
  /** As the edge told; null where it gave no reason. */
  readonly error: string | null
  /** Switched off by somebody, and not lost. */
  readonly intended: boolean
}

/** From events as the API lists them, newest first; so are the outages. */
export function outagesIn(events: readonly SessionEvent[]): Outage[] {
  const outages: Outage[] = []
  const open = new Map<number, Outage>()
  for (const { id, at, family, from, to, error } of events.toReversed()) {
    const lasting = open.get(family)
    if (from === 'ESTABLISHED' && to !== 'ESTABLISHED') {
      open.set(family, { id, family, from: at, to: null, error, intended: to === 'DISABLED' })
    } else if (lasting && to === 'ESTABLISHED') {
      outages.push({ ...lasting, to: at })
      open.delete(family)
    } else if (lasting) {
      // The reason may come a state later than the loss.
      open.set(family, { ...lasting, error: lasting.error ?? error })
    }
  }
  return [...outages, ...open.values()].toSorted((a, b) => b.id - a.id)
}

/** The last decision in the queue while it can be undone. It is kept outside React, because the next prefix is another page. */
import type { Answer } from '../../../kernel/endpoint.ts'
import { queryClient } from '../../../ui/live/query-client.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import type { AdminTransitPrefix, TransitApi } from '../../contract.ts'
import type { StaffAction } from '../../states.ts'
import { prefixWithOwner, staffTransit } from './api.ts'
import { DECISIONS } from './prefix-decisions.ts'

export type QueuePosition = Answer<TransitApi['GET /api/admin/transit_prefixes/next']>

export interface LastDecision {
  readonly id: number
  readonly value: string
  readonly action: StaffAction
  /** By this browser's clock: until when it can be undone. */
  readonly until: number
  /** What comes next. */
  readonly queue: QueuePosition
}

let last: LastDecision | null = null
const watchers = new Set<() => void>()

export const lastDecision = {
  current: (): LastDecision | null => last,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
  set(next: LastDecision | null): void {
    last = next
    for (const watcher of watchers) watcher()
  },
}

/** The requests before and after this prefix. Always refetched, because other staff decide as well. */
export const readNext = (from?: number) =>
  staffTransit.call['GET /api/admin/transit_prefixes/next']({ query: from === undefined ? {} : { from } })

/** The server applies it within about a second. Later than this, something is wrong. */
export const EFFECT_MS = 5_000

/** Checks once whether a decision took effect, because its author has moved on to the next prefix. */
export function watchEffect({ id, value, heldDecision }: AdminTransitPrefix, untilMs: number): void {
  const look = async () => {
    if (last !== null && last.until <= Date.now()) lastDecision.set(null)
    const prefix: AdminTransitPrefix = await queryClient.fetchQuery({ ...prefixWithOwner(id), staleTime: 0 })
    const held = prefix.heldDecision
    // It took effect or was undone, and another may be held since.
    if (!held || held.decidedAt !== heldDecision?.decidedAt) return
    const what = `${DECISIONS[held.action].label} ${value}`
    notify({
      type: 'error',
      title: held.failure === null ? `${what}: not in effect yet` : `${what}: had no effect`,
      body: held.failure ?? 'The workers have not carried it out. It takes effect when they are back.',
    })
  }
  // A failed read has already been shown.
  setTimeout(() => void look().catch(() => undefined), untilMs + EFFECT_MS)
}

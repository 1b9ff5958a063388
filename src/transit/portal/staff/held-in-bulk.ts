/** Bulk decisions that take effect shortly: shows the outcomes, offers undo, and checks whether they took effect. */
import type { Reply } from '../../../kernel/endpoint.ts'
import { invalidateCache } from '../../../ui/graphql/client.ts'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import { dismissNotification, notifications, notify } from '../../../ui/runtime/notifications.ts'
import type { TransitApi } from '../../contract.ts'
import { UNDO_SECONDS, type BulkAction } from '../../states.ts'
import { staffTransit } from './api.ts'
import { EFFECT_MS } from './decision-queue.ts'
import { inWords } from './decision-outcomes.ts'

type Outcomes = Reply<TransitApi['POST /api/admin/transit_prefixes/decisions']>

/** Shows the outcome of each, and offers undo while it is possible. */
export function showHeld(action: BulkAction, outcomes: Outcomes): void {
  const type = outcomes.some(({ outcome }) => outcome === 'REFUSED') ? 'error' : 'success'
  const { title, body } = inWords(action, outcomes)
  const ids = outcomes.filter(({ outcome }) => outcome === 'HELD').map(({ id }) => id)
  if (ids.length === 0) return notify({ type, title, body })
  const undo = { label: 'Undo', handler: () => void take() }
  const dismiss = () => {
    const shown = notifications.current().find((one) => one.action === undo)
    if (shown) dismissNotification(shown.id)
  }
  const timers = [setTimeout(dismiss, UNDO_SECONDS * 1_000), watchEffects(action, ids)]
  const take = async () => {
    timers.forEach(clearTimeout)
    dismiss()
    await undoHeld(ids)
  }
  notify({ type, title, body: `${body} Takes effect in ${UNDO_SECONDS} seconds.`.trim(), action: undo })
}

async function undoHeld(ids: number[]): Promise<void> {
  try {
    const outcomes = await staffTransit.call['POST /api/admin/transit_prefixes/decisions/undo']({ body: { ids } })
    const late = outcomes.some(({ outcome }) => outcome === 'REFUSED')
    notify({ type: late ? 'error' : 'success', ...inWords('undo', outcomes) })
    invalidateCache()
  } catch (error) {
    // The client has already shown an HTTP error; any other error is a bug.
    if (!(error instanceof HttpFailure)) throw error
  }
}

/** Checks once, when they should have taken effect. Their author is reading something else by then. */
function watchEffects(action: BulkAction, ids: readonly number[]) {
  const look = async () => {
    invalidateCache()
    const all = await staffTransit.call['GET /api/admin/transit_prefixes/decisions']()
    const lost = all.filter((one) => one.action === action && ids.includes(one.id))
    if (lost.length === 0) return
    const outcomes = lost.map(({ id, value, failure }) => ({
      id,
      value,
      status: null,
      outcome: 'REFUSED' as const,
      code: null,
      detail: failure ?? 'The workers have not carried it out. It takes effect when they are back.',
    }))
    notify({ type: 'error', ...inWords(action, outcomes) })
  }
  // A failed read has already been shown.
  return setTimeout(() => void look().catch(() => undefined), UNDO_SECONDS * 1_000 + EFFECT_MS)
}

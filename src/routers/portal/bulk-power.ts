/** Describes what one press on several routers will do, and what it did. */
import type { Reply } from '../../kernel/endpoint.ts'
import type { Router, RoutersApi } from '../contract.ts'
import { ALLOWED_IN, isAllowed, MAX_BULK_ROUTERS, type BulkPowerAction } from '../states.ts'
import { POWER_BUTTON } from './router-labels.ts'
import { stateLabel } from './router-state-variants.ts'

type Outcomes = Reply<RoutersApi['POST /api/virtual_machines/actions']>
export type Selected = Pick<Router, 'id' | 'name' | 'state'>

/** Longer lists of names are not read one by one. */
const NAMED = 8
/** More denials than this are left to the list, where the routers still look as before. */
const DENIALS = 3

const statesFor = (action: BulkPowerAction): string => ALLOWED_IN[action].map(stateLabel).join(' or ')

/** Splits the selection into routers that the action applies to now, and the others by state. */
export function splitSelection<Row extends Selected>(action: BulkPowerAction, routers: readonly Row[]) {
  const taken = routers.filter(({ state }) => isAllowed(action, state))
  const left = new Map<string, Row[]>()
  for (const router of routers) {
    if (isAllowed(action, router.state)) continue
    const state = stateLabel(router.state)
    left.set(state, [...(left.get(state) ?? []), router])
  }
  return { taken, left: [...left].map(([state, rows]) => ({ state, names: namesOf(rows), count: rows.length })) }
}

/** Why the button cannot be pressed at all. */
export function selectionProblem(action: BulkPowerAction, routers: readonly Selected[]): string | null {
  const { taken } = splitSelection(action, routers)
  if (taken.length === 0) return `None of the selected routers is ${statesFor(action)}.`
  if (taken.length > MAX_BULK_ROUTERS) return `Select at most ${MAX_BULK_ROUTERS} routers.`
  return null
}

export const leftOutTitle = (action: BulkPowerAction, count: number): string =>
  `${count === 1 ? '1 selected router is' : `${count} selected routers are`} left out: ${
    count === 1 ? 'it is' : 'they are'
  } not ${statesFor(action)}.`

export const namesOf = (routers: readonly Pick<Selected, 'name'>[]): string => {
  const names = routers.slice(0, NAMED).map(({ name }) => name)
  return routers.length > NAMED ? `${names.join(', ')} and ${routers.length - NAMED} more` : names.join(', ')
}

export const countOf = (count: number): string => (count === 1 ? '1 router' : `${count} routers`)

/** `Start: requested for 2 routers, rejected for 1`, and why. */
export function outcomesInWords(action: BulkPowerAction, outcomes: Outcomes) {
  const refused = outcomes.filter(({ outcome }) => outcome === 'REFUSED')
  const unchanged = outcomes.filter(({ outcome }) => outcome === 'UNCHANGED').length
  const done = outcomes.length - refused.length - unchanged
  const parts = [
    ...(done > 0 ? [`requested for ${countOf(done)}`] : []),
    ...(unchanged > 0 ? [`nothing to do for ${countOf(unchanged)}`] : []),
    ...(refused.length > 0 ? [`rejected for ${countOf(refused.length)}`] : []),
  ]
  const reasons = refused.slice(0, DENIALS).map(({ name, detail }) => `${name ?? 'A router'}: ${detail}`)
  const more = refused.length - reasons.length
  return {
    type: refused.length > 0 ? ('error' as const) : ('success' as const),
    title: `${POWER_BUTTON[action].label}: ${parts.join(', ')}`,
    body: [...reasons, ...(more > 0 ? [`And ${more} more.`] : [])].join(' '),
  }
}

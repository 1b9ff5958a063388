import type { Reply } from '../../../kernel/endpoint.ts'
import type { TransitApi } from '../../contract.ts'
import type { BulkAction } from '../../states.ts'
import { DECISIONS } from './prefix-decisions.ts'

type Outcomes = Reply<TransitApi['POST /api/admin/transit_prefixes/decisions']>

/** With more failures than this, the list shows them: those prefixes are unchanged there. */
const NAMED = 3

/** Describes the outcomes, such as `2 approved, 1 not approved`, with the reasons of failures. */
export function inWords(
  action: BulkAction | 'undo',
  outcomes: Outcomes,
): { readonly title: string; readonly body: string } {
  const refused = outcomes.filter(({ outcome }) => outcome === 'REFUSED')
  const unchanged = outcomes.filter(({ outcome }) => outcome === 'UNCHANGED').length
  const done = outcomes.length - refused.length - unchanged
  const verb = action === 'undo' ? 'undone' : DECISIONS[action].done.toLowerCase()
  const parts = [
    ...(done > 0 || (refused.length === 0 && unchanged === 0) ? [`${done} ${verb}`] : []),
    ...(unchanged > 0 ? [`${unchanged} ${verb} before`] : []),
    ...(refused.length > 0 ? [`${refused.length} not ${verb}`] : []),
  ]
  const reasons = refused.slice(0, NAMED).map(({ id, value, detail }) => `${value ?? `Prefix ${id}`}: ${detail}`)
  const more = refused.length - reasons.length
  return { title: parts.join(', '), body: [...reasons, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ') }
}

/** The one place that writes the status of a prefix. */
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { conflict } from '../kernel/problem.ts'
import type { TransitWriter } from './deps.ts'
import { recordPrefixAction } from './events.ts'
import { emailOwner } from './emails.ts'
import type { PrefixRow } from './prefix-row.ts'
import { afterAction, PREFIX_ACTIONS, type PrefixAction } from './states.ts'

const REASON_TEXT: Readonly<Record<PrefixAction, string>> = {
  approve: 'approved',
  reject: 'rejected',
  suspend: 'suspended',
  withdraw: 'withdrawn',
  request_changes: 'sent back',
  recheck_passed: 'taken up again',
  asn_changed: 'suspended',
  resume: 'taken up again',
}

export interface StatusChange {
  readonly action: PrefixAction
  readonly reason: string | null
  readonly actor: Actor
  readonly at: Date
}

/** Changes a row that the caller has locked, with its line in the trail and a letter where one is due. Throws 409 that names the state. */
export async function changeStatus(deps: TransitWriter, db: Db, row: PrefixRow, change: StatusChange): Promise<void> {
  const { action, reason, actor, at } = change
  const to = afterAction(action, row.status)
  if (!to) {
    const from = PREFIX_ACTIONS[action].from.join(', ')
    throw conflict(`It is ${row.status}; only ${from} can be ${REASON_TEXT[action]}.`)
  }
  const byStaff = action === 'approve' || action === 'reject' || action === 'suspend'
  await db
    .updateTable('transit_prefixes')
    .set({
      status: to,
      status_reason: reason,
      asn_changed: action === 'asn_changed',
      flagged_at: null,
      ...(byStaff && { decided_by: actor.userId, decided_at: at }),
      ...(action === 'withdraw' && { withdrawn_at: at }),
      ...(action === 'resume' && { decided_by: null, decided_at: null, check_after: at }),
    })
    .where('id', '=', row.id)
    .execute()
  await recordPrefixAction(db, actor, row, { action, from: row.status, reason })
  if (byStaff || action === 'request_changes') await emailOwner(deps, db, row, action, reason)
}

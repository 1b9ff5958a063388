/** The only place that writes the status of a prefix. */
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { conflict } from '../kernel/problem.ts'
import type { TransitWriter } from './deps.ts'
import { recordPrefixAction } from './events.ts'
import { emailOwner } from './emails.ts'
import { downstreamIssues } from './downstreams/evidence.ts'
import { checkResultsOf, type PrefixRow } from './prefix-row.ts'
import type { ApprovalBasis } from './prefixes/tables.ts'
import { afterAction, PREFIX_ACTIONS, type PrefixAction, type PrefixStatus } from './states.ts'

const REASON_TEXT: Readonly<Record<PrefixAction, string>> = {
  approve: 'approved',
  reject: 'rejected',
  suspend: 'suspended',
  withdraw: 'withdrawn',
  request_changes: 'sent back',
  recheck_passed: 'taken up again',
  refute: 'sent back',
  downstream_lost: 'suspended',
  space_lost: 'suspended',
  asn_changed: 'suspended',
  resume: 'taken up again',
}

/** The portal suspended the prefix because of a loss, and resumes it once what was lost is back. */
const isLoss = (action: PrefixAction): boolean => action === 'downstream_lost' || action === 'space_lost'

export interface StatusChange {
  readonly action: PrefixAction
  readonly reason: string | null
  readonly actor: Actor
  readonly at: Date
  /** Set for an approval. */
  readonly approved?: { readonly basis: ApprovalBasis; readonly unknown: boolean }
}

/** Returns the status after the action. Throws 409 with the current state when the action is not allowed. */
export function requireStatusFor(action: PrefixAction, status: PrefixStatus): PrefixStatus {
  const to = afterAction(action, status)
  if (to) return to
  const from = PREFIX_ACTIONS[action].from.join(', ')
  throw conflict(`It is ${status}; only ${from} can be ${REASON_TEXT[action]}.`)
}

/**
 * Changes a row that the caller has locked, adds the audit log entry, and sends an email where one is due. Throws 409
 * with the current state.
 */
export async function changeStatus(deps: TransitWriter, db: Db, row: PrefixRow, change: StatusChange): Promise<void> {
  const { action, reason, actor, at } = change
  const to = requireStatusFor(action, row.status)
  const byStaff = action === 'approve' || action === 'reject' || action === 'suspend'
  // A first approval applied to the prefix as it was then.
  await db.deleteFrom('prefix_approvals').where('prefix_id', '=', row.id).execute()
  if (action === 'asn_changed') {
    await db.deleteFrom('prefix_evidence').where('prefix_id', '=', row.id).execute()
    for (const table of ['prefix_registrations', 'prefix_reverse_dns'] as const)
      await db.updateTable(table).set({ next_check_at: at }).where('prefix_id', '=', row.id).execute()
  }
  await db
    .updateTable('transit_prefixes')
    .set({
      status: to,
      status_reason: reason,
      asn_changed: action === 'asn_changed',
      flagged_at: null,
      ...(action === 'approve' && {
        accepted_issues: downstreamIssues(checkResultsOf(row), '').map(({ kind }) => kind),
      }),
      ...(!isLoss(action) && { suspend_at: null, space_lost: null }),
      ...(byStaff && { decided_by: actor.userId, decided_at: at }),
      approved_unknown: change.approved?.unknown ?? false,
      ...(change.approved && { approval_basis: JSON.stringify(change.approved.basis) }),
      ...(action === 'asn_changed' && { proven: false }),
      ...(action === 'withdraw' && { withdrawn_at: at }),
      ...(action === 'resume' && { decided_by: null, decided_at: null, check_after: at }),
    })
    .where('id', '=', row.id)
    .execute()
  await recordPrefixAction(db, actor, row, {
    action,
    from: row.status,
    reason,
    ...(change.approved && { rule: change.approved.basis.rule }),
  })
  if (byStaff || action === 'request_changes') await emailOwner(deps, db, row, action, reason)
  if (action === 'refute') await emailOwner(deps, db, row, 'request_changes', reason)
  if (isLoss(action)) await emailOwner(deps, db, row, 'suspend', reason)
}

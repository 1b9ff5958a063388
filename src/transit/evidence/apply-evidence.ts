/** Applies evidence without staff: closes the space of a proven request, and approves it where the policy allows. */
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
import type { TransitDeps } from '../deps.ts'
import { publishPrefixChanged } from '../events.ts'
import { areChecksDue, basisOf } from '../prefixes/decisions.ts'
import { isHeldByAnother, lockSpace } from '../prefixes/prefix-ownership.ts'
import type { PrefixRow } from '../prefix-row.ts'
import { changeStatus } from '../prefix-status.ts'
import { OCCUPYING_STATUSES } from '../states.ts'
import { isProven } from './evidence.ts'
import { readPolicy } from './policy-store.ts'
import { assess, readEvidence } from './store.ts'

export async function applyEvidence(deps: TransitDeps, id: number): Promise<void> {
  const now = deps.clock.now()
  const seen = await occupying(deps.db, id).executeTakeFirst()
  if (!seen) return
  const proven = isProven(seen.announcement_type, await readEvidence(deps.db, id), now)
  const mayApprove = seen.status === 'PENDING' && (await readPolicy(deps.db)).automatic
  if (proven === seen.proven && !mayApprove) return
  await inTransaction(deps.db, async (db) => {
    await lockSpace(db)
    const row = await occupying(db, id).forUpdate().executeTakeFirst()
    if (!row) return
    await settleProven(db, row, now)
    if (mayApprove) await approveAutomatically(deps, db, row, now)
  })
}

const occupying = (db: Db, id: number) =>
  db.selectFrom('transit_prefixes').selectAll().where('id', '=', id).where('status', 'in', OCCUPYING_STATUSES)

/** Of two proven requests, the first keeps its space. Staff decide about the other. */
async function settleProven(db: Db, row: PrefixRow, now: Date): Promise<void> {
  const proven =
    isProven(row.announcement_type, await readEvidence(db, row.id), now) &&
    !(await isHeldByAnother(db, row.account_id, parsePrefix(row.value)))
  if (proven === row.proven) return
  await db.updateTable('transit_prefixes').set({ proven }).where('id', '=', row.id).execute()
  await publishPrefixChanged(db, row)
}

async function approveAutomatically(deps: TransitDeps, db: Db, row: PrefixRow, at: Date): Promise<void> {
  if (row.status !== 'PENDING') return
  const approval = await assess(db, row, at)
  if (approval.people !== 0 || approval.blocked !== null) return
  if (areChecksDue(row, approval.policy.checkAgeMinutes, at)) return
  await changeStatus(deps, db, row, {
    action: 'approve',
    reason: null,
    actor: SYSTEM,
    at,
    approved: { basis: basisOf(approval, [], at), unknown: false },
  })
}

/** What staff decide about a prefix. */
import { conflict, invalid, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { preparedQuery, type Db, type Places } from '../../platform/db/index.ts'
import { blockingIssue } from './checks/check-results.ts'
import type { TransitWriter } from '../deps.ts'
import { checkResultsOf, valueOf, type PrefixRow } from '../prefix-row.ts'
import { changeStatus } from '../prefix-status.ts'
import { afterAction, type StaffAction } from '../states.ts'

export async function anyPrefix(db: Db, id: number, lock: 'lock' | 'read'): Promise<PrefixRow> {
  const [row] = await (lock === 'lock' ? lockPrefix : readPrefix)(db, { id })
  if (!row) throw notFound()
  return row
}

const prefixWith = (db: Db, { id }: Places<{ id: number }>) =>
  db.selectFrom('transit_prefixes').selectAll().where('id', '=', id)
const readPrefix = preparedQuery(['id'], prefixWith)
const lockPrefix = preparedQuery(['id'], (db, which: Places<{ id: number }>) => prefixWith(db, which).forUpdate())

export interface Decision {
  readonly action: StaffAction
  readonly reason: string | null
  readonly actor: Actor
  readonly at: Date
}

export async function decide(deps: TransitWriter, db: Db, id: number, decision: Decision): Promise<void> {
  const row = await anyPrefix(db, id, 'lock')
  if (decision.action === 'approve' && afterAction('approve', row.status))
    await requireApprovable(db, row, decision.reason)
  await changeStatus(deps, db, row, decision)
}

/**
 * The registry of routes (IRR) is kept by hand and often stale, so staff may overrule it, with a reason. A signed
 * statement that somebody else may originate the prefix is another matter: the edge would drop the route anyway.
 */
async function requireApprovable(db: Db, row: PrefixRow, reason: string | null): Promise<void> {
  const ownership = await db
    .selectFrom('asn_ownerships')
    .select('verified_at')
    .where('user_id', '=', row.user_id)
    .executeTakeFirst()
  if (!ownership?.verified_at) throw conflict(`It is ${row.status}, and this customer’s ASN is not verified.`)
  if (row.asn_changed) throw conflict('It is SUSPENDED and will be checked for the new ASN. Decide after that.')
  if (row.origin_asn === null) {
    throw conflict(`It is ${row.status}, and its origin AS is unknown. The customer has to enter one.`)
  }
  const issue = blockingIssue(checkResultsOf(row), valueOf(row))
  if (row.rpki_status === 'INVALID') throw conflict(`It is ${row.status}: ${issue} The edge would reject it.`)
  if (issue !== null && reason === null) {
    throw invalid([{ field: 'reason', message: `is required because checks failed: ${issue}` }])
  }
}

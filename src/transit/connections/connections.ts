/** The connection of each customer, created on first use and changed by the customer. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Selectable } from 'kysely'
import { splitAsSetName } from '../../drivers/irr/index.ts'
import { claimAsn, asnIssue } from '../../accounts/index.ts'
import { invalid, type FieldProblem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { ParsedInput } from '../../kernel/endpoint.ts'
import type { TransitApi } from '../contract.ts'
import type { TransitWriter } from '../deps.ts'
import { recordConnectionEvent } from '../events.ts'
import { changeStatus } from '../prefix-status.ts'
import { ownsRouter } from '../../routers/index.ts'
import { afterAction, OCCUPYING_STATUSES } from '../states.ts'
import { requireNonePending } from './password-pending.ts'
import { lackProblem, lacksAtRouter } from '../edges/edge-lacks.ts'
import { encryptPassword } from './session-password.ts'
import type { TransitConnectionsTable } from './tables.ts'

export type ConnectionRow = Selectable<TransitConnectionsTable>
export type ConnectionChange = ParsedInput<TransitApi['PUT /api/transit_connection']>['body']

export const findConnection = (db: Db, accountId: AccountId): Promise<ConnectionRow | undefined> =>
  db.selectFrom('transit_connections').selectAll().where('account_id', '=', accountId).executeTakeFirst()

/** Locks the connection until the transaction ends, so that concurrent changes run one after the other. */
export async function ensureConnection(db: Db, accountId: AccountId, now: Date): Promise<ConnectionRow> {
  await db
    .insertInto('transit_connections')
    .values({ account_id: accountId, created_at: now })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
  return db
    .selectFrom('transit_connections')
    .selectAll()
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Changes the given fields and leaves the rest. Another ASN suspends everything that was proved for the old one. */
export async function changeConnection(
  deps: TransitWriter,
  db: Db,
  actor: Actor,
  accountId: AccountId,
  change: ConnectionChange,
): Promise<void> {
  const before = await ensureConnection(db, accountId, deps.clock.now())
  const wrong = await validateConnectionChange(deps, db, accountId, change)
  if (wrong.length > 0) throw invalid(wrong)
  if (change.asn !== undefined) {
    const { changed } = await claimAsn(db, actor, accountId, change.asn)
    if (changed) {
      await suspendPrefixesOfAsn(deps, db, actor, accountId, 'The ASN changed and is not verified yet')
      await moveOrigin(deps, db, accountId, change.asn)
    }
  }
  const { password, ...shown } = change
  if (password !== undefined) requireNonePending(before)
  const { routerId, asSet } = shown
  const columns = {
    ...(routerId !== undefined && { router_id: routerId }),
    ...(asSet !== undefined && asSet !== before.as_set && { as_set: asSet, ...UNKNOWN_AS_SET }),
    ...(change.enabled !== undefined && { enabled: change.enabled }),
    ...(change.enabled && { shutdown_message: null }),
    ...(change.exports !== undefined && { exports: change.exports }),
    ...(password !== undefined && {
      encrypted_password: password === null ? null : encryptPassword(deps, before.id, password),
    }),
  }
  if (Object.keys(columns).length > 0) {
    await db.updateTable('transit_connections').set(columns).where('id', '=', before.id).execute()
  }
  if ('as_set' in columns) await recheckOccupied(db, accountId, deps.clock.now())
  const auditData = { ...shown, ...(password !== undefined && { password: password === null ? 'removed' : 'set' }) }
  await recordConnectionEvent(db, actor, before, 'connection.changed', auditData)
}

const UNKNOWN_AS_SET = {
  as_set_status: null,
  as_set_members: null,
  as_set_as_of: null,
  as_set_checked_at: null,
  as_set_found: null,
}

/** Validates the given fields of a change and returns all issues at once. */
export async function validateConnectionChange(
  { operator, irrSources }: Pick<TransitWriter, 'operator' | 'irrSources'>,
  db: Db,
  accountId: AccountId,
  { asn, asSet, routerId, password }: Partial<ConnectionChange>,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  const wrong = asn === undefined ? null : asn === operator.asn ? OUR_OWN_ASN : asnIssue(asn)
  if (wrong) problems.push(wrong)
  const source = asSet == null ? null : splitAsSetName(asSet).source
  // In a registry that the operator does not use, anybody may have created a set of any name.
  if (source !== null && !irrSources.includes(source))
    problems.push({ field: 'asSet', message: `${source} is not used here; use one of ${irrSources.join(', ')}` })
  if (routerId != null && !(await ownsRouter(db, accountId, routerId))) {
    problems.push({ field: 'routerId', message: 'no such router' })
  } else if (routerId != null || password != null) {
    const before = await findConnection(db, accountId)
    const signed =
      password === undefined ? before !== undefined && before.encrypted_password !== null : password !== null
    const at = routerId === undefined ? (before?.router_id ?? null) : routerId
    if (signed && (await lacksAtRouter(db, at)).includes('md5')) {
      problems.push(lackProblem(password == null ? 'routerId' : 'password', 'md5'))
    }
  }
  return problems
}

const OUR_OWN_ASN: FieldProblem = { field: 'asn', message: 'is our own ASN' }

/** Suspends the prefixes that were proved with an ASN that is no longer verified, until it is proved again. */
export const suspendUnproved = (deps: TransitWriter, db: Db, actor: Actor, accountId: AccountId): Promise<void> =>
  suspendPrefixesOfAsn(deps, db, actor, accountId, 'The ASN is no longer verified')

/** The prefixes return automatically, as requests, once the ASN is verified. */
async function suspendPrefixesOfAsn(
  deps: TransitWriter,
  db: Db,
  actor: Actor,
  accountId: AccountId,
  reason: string,
): Promise<void> {
  const held = await db
    .selectFrom('transit_prefixes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', 'in', OCCUPYING_STATUSES)
    .orderBy('id')
    .forUpdate()
    .execute()
  const change = { action: 'asn_changed', reason, actor, at: deps.clock.now() } as const
  for (const row of held) if (afterAction('asn_changed', row.status)) await changeStatus(deps, db, row, change)
}

async function moveOrigin({ clock }: TransitWriter, db: Db, accountId: AccountId, asn: number): Promise<void> {
  await db
    .updateTable('transit_prefixes')
    .set({ origin_asn: asn })
    .where('account_id', '=', accountId)
    .where('announcement_type', '=', 'ORIGIN')
    .where('status', 'in', OCCUPYING_STATUSES)
    .execute()
  await recheckOccupied(db, accountId, clock.now())
}

const recheckOccupied = (db: Db, accountId: AccountId, at: Date): Promise<unknown> =>
  db
    .updateTable('transit_prefixes')
    .set({ check_after: at })
    .where('account_id', '=', accountId)
    .where('status', 'in', OCCUPYING_STATUSES)
    .execute()

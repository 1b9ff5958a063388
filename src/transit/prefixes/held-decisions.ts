/** Decisions that take effect after some seconds, so that they can be undone (decision 42). */
import { sql } from 'kysely'
import { isActiveStaff } from '../../accounts/index.ts'
import { conflict, Problem } from '../../kernel/problem.ts'
import { hasRole } from '../../kernel/required-role.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { AdminTransitPrefix } from '../contract.ts'
import type { TransitWriter } from '../deps.ts'
import { publishPrefixChanged } from '../events.ts'
import { valueOf, type PrefixRow } from '../prefix-row.ts'
import { UNDO_SECONDS } from '../states.ts'
import { anyPrefix, decide, requireDecidable, type Decision } from './decisions.ts'
import { lockSpace } from './prefix-ownership.ts'

/** Throws what would be denied at once. Otherwise the prefix does not change until the time is over. */
export async function holdDecision(db: Db, id: number, decision: Decision): Promise<void> {
  const { action, reason, actor, at } = decision
  const row = await requireDecidable(db, id, decision)
  const values = {
    action,
    reason,
    staff_id: actor.userId!,
    decided_at: at,
    effective_at: new Date(at.getTime() + UNDO_SECONDS * 1000),
    failure: null,
  }
  await db
    .insertInto('prefix_held_decisions')
    .values({ prefix_id: id, ...values })
    .onConflict((found) => found.column('prefix_id').doUpdateSet(values))
    .execute()
  await publishPrefixChanged(db, row)
}

/** Returns whether the same person already made the same decision and it has not taken effect. */
export async function isHeldBy(db: Db, id: number, { action, actor, reason }: Decision): Promise<boolean> {
  const held = await db
    .selectFrom('prefix_held_decisions')
    .select('reason')
    .where('prefix_id', '=', id)
    .where('action', '=', action)
    .where('staff_id', '=', actor.userId)
    .where('failure', 'is', null)
    .executeTakeFirst()
  return held !== undefined && held.reason === reason
}

/** Undoes a decision before it takes effect; 409 when it has. Everybody who may decide may undo. */
export async function undoDecision(db: Db, id: number, actor: Actor): Promise<void> {
  // Lock the row first, as the job that applies the decision does, so that only one of them wins.
  const row = await anyPrefix(db, id, 'lock')
  const undone = await db
    .deleteFrom('prefix_held_decisions')
    .where('prefix_id', '=', id)
    .where('failure', 'is', null)
    .returning(['action', 'reason', 'staff_id'])
    .executeTakeFirst()
  if (!undone) throw conflict(`It is ${row.status}: no decision waits that could be undone.`)
  await audit(db, actor, {
    action: 'prefix.decision_undone',
    subject: { type: 'prefix', id },
    // The customer has nothing to read about a decision that never took effect.
    accountId: null,
    data: { value: row.value, ...undone },
  })
  await publishPrefixChanged(db, row)
}

export async function viewHeldDecision(db: Db, id: number): Promise<AdminTransitPrefix['heldDecision']> {
  const held = await db
    .selectFrom('prefix_held_decisions as held')
    .innerJoin('users', 'users.id', 'held.staff_id')
    .select(['held.action', 'held.reason', 'held.decided_at', 'held.effective_at', 'held.failure', 'users.email'])
    .where('held.prefix_id', '=', id)
    .executeTakeFirst()
  return held
    ? {
        action: held.action,
        reason: held.reason,
        by: held.email,
        decidedAt: held.decided_at.toISOString(),
        effectiveAt: held.effective_at.toISOString(),
        failure: held.failure,
      }
    : null
}

/** The worker applies a decision within about a second. Later than this, something is wrong. */
const LATE_MS = 3_000

/** Returns decisions that should have taken effect but did not. */
export async function decisionsWithoutEffect(db: Db, now: Date) {
  const rows = await db
    .selectFrom('prefix_held_decisions as held')
    .innerJoin('transit_prefixes as prefix', 'prefix.id', 'held.prefix_id')
    .select(['prefix.id', 'prefix.value', 'held.action', 'held.decided_at', 'held.failure'])
    .where((eb) =>
      eb.or([eb('held.failure', 'is not', null), eb('held.effective_at', '<', new Date(now.getTime() - LATE_MS))]),
    )
    .orderBy('held.decided_at', 'desc')
    .orderBy('prefix.id', 'desc')
    .limit(200)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    value: valueOf(row),
    action: row.action,
    decidedAt: row.decided_at.toISOString(),
    failure: row.failure,
  }))
}

/** Returns the next request to decide: pending without a held decision, oldest first, wrapping around to the oldest. */
export async function nextToDecide(db: Db, from: number | undefined) {
  const waiting = db
    .selectFrom('transit_prefixes as prefix')
    .select(['prefix.id', sql<string>`prefix.value::text`.as('value')])
    .where('prefix.status', '=', 'PENDING')
    .where('prefix.id', '!=', from ?? 0)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('prefix_held_decisions as held')
            .select('held.prefix_id')
            .whereRef('held.prefix_id', '=', 'prefix.id')
            .where('held.failure', 'is', null),
        ),
      ),
    )
  const first = async (order: 'asc' | 'desc') => {
    const operator = order === 'desc' ? '<' : '>'
    const sorted = waiting.orderBy('prefix.id', order).limit(1)
    const beyond = from === undefined ? sorted : sorted.where('prefix.id', operator, from)
    return (await beyond.executeTakeFirst()) ?? (await sorted.executeTakeFirst()) ?? null
  }
  const { left } = await db
    .selectFrom(waiting.limit(MOST_COUNTED).as('waiting'))
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  return { next: await first('asc'), previous: await first('desc'), left }
}

const MOST_COUNTED = 1_000

/** Applies held decisions once their time is over. */
export function heldDecisionReconciler(deps: TransitWriter & { readonly db: Db }): Reconciler {
  return {
    name: 'held-decisions',
    everyMs: 1_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      const rows = await deps.db
        .selectFrom('prefix_held_decisions')
        .select('prefix_id')
        .where('failure', 'is', null)
        .where('effective_at', '<=', deps.clock.now())
        .orderBy('effective_at')
        .limit(200)
        .execute()
      return rows.map((row) => row.prefix_id)
    },
    async reconcile(id) {
      try {
        await inTransaction(deps.db, (db) => takeEffect(deps, db, id))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        await keepFailure(deps, id, error.detail)
      }
    },
  }
}

async function takeEffect(deps: TransitWriter, db: Db, id: number): Promise<void> {
  await lockSpace(db)
  await anyPrefix(db, id, 'lock')
  const now = deps.clock.now()
  const held = await db
    .deleteFrom('prefix_held_decisions')
    .where('prefix_id', '=', id)
    .where('failure', 'is', null)
    .where('effective_at', '<=', now)
    .returning(['action', 'reason', 'staff_id'])
    .executeTakeFirst()
  // The decision was undone.
  if (!held) return
  const decider = await db
    .selectFrom('users')
    .select('staff_roles')
    .where('id', '=', held.staff_id)
    .where(isActiveStaff)
    .executeTakeFirst()
  if (!hasRole(decider?.staff_roles ?? [], 'network'))
    throw conflict('The member of staff who decided it no longer has the Network role, or is suspended.')
  const actor: Actor = { kind: 'staff', userId: held.staff_id, ip: null, requestId: null }
  await decide(deps, db, id, { action: held.action, reason: held.reason, actor, at: now })
}

/** Stores the failure, which staff read on the prefix's page. The prefix keeps its status. */
async function keepFailure(deps: TransitWriter & { readonly db: Db }, id: number, why: string): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    const row: PrefixRow = await anyPrefix(db, id, 'lock')
    await db
      .updateTable('prefix_held_decisions')
      .set({ failure: why })
      .where('prefix_id', '=', id)
      .where('effective_at', '<=', deps.clock.now())
      .execute()
    await publishPrefixChanged(db, row)
  })
}

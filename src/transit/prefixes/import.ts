/** Starts and reads an account's import of prefixes from registries (decision 42). */
import type { AccountId } from '../../kernel/ids.ts'
import { take, type Limit } from '../../accounts/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { tooMany } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import { isAuthoritative } from '../../drivers/irr/index.ts'
import type { PrefixImport } from '../contract.ts'
import { OCCUPYING_STATUSES } from '../states.ts'
import '../tables.ts'

/** Each import may query the registries for the routes of hundreds of ASNs. */
const STARTING: Limit = { name: 'imports started', burst: 5, refillMs: 300_000 }

/** An import in progress continues. Otherwise a new one replaces the last. */
export async function startImport(db: Db, clock: Clock, accountId: AccountId): Promise<void> {
  const now = clock.now()
  const underWay = await db
    .selectFrom('prefix_imports')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  if (underWay) return
  if (!(await take(db, STARTING, String(accountId), now)))
    throw tooMany('Too many imports were started. Wait five minutes and try again.', STARTING.refillMs / 1000)
  const connection = await db
    .selectFrom('transit_connections')
    .select('as_set')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const fresh = {
    started_at: now,
    finished_at: null,
    as_set: connection?.as_set ?? null,
    as_set_problem: null,
    asns: null,
    read: 0,
    prefixes: '[]',
    skipped: 0,
    truncated: false,
    failure: null,
  }
  const { numInsertedOrUpdatedRows: started } = await db
    .insertInto('prefix_imports')
    .values({ account_id: accountId, ...fresh })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(fresh).where('prefix_imports.finished_at', 'is not', null),
    )
    .executeTakeFirstOrThrow()
  if (started) await publish(db, { type: 'prefix_import', id: accountId, accountId })
}

export async function viewImport(db: Db, accountId: AccountId): Promise<PrefixImport | null> {
  const row = await db.selectFrom('prefix_imports').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  if (!row) return null
  const held = await db
    .selectFrom('transit_prefixes')
    .select('value')
    .where('account_id', '=', accountId)
    .where('status', 'in', OCCUPYING_STATUSES)
    .execute()
  const requested = new Set(held.map(({ value }) => value))
  return {
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    asSet: row.as_set,
    asSetProblem: row.as_set_problem,
    origins: { read: row.read, total: row.asns?.length ?? null },
    prefixes: row.prefixes.map(({ prefix, origin, sources }) => ({
      value: prefix,
      originAsn: origin,
      sources: [...sources],
      weak: !sources.some(isAuthoritative),
      requested: requested.has(prefix),
    })),
    skipped: row.skipped,
    truncated: row.truncated,
    failure: row.failure,
  }
}

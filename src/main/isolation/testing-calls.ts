/**
 * Functions that work for one customer and whose queries the API alone does not reach. They need a code, a link, a
 * proof or a debt, or a job or staff call them. Each is called for B while A has a twin of each of B's rows, or with an
 * id of A. None may touch a row of A.
 */
import { sql, type Transaction } from 'kysely'
import type { AccountsDeps } from '../../accounts/deps.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Tenant } from './testing-tenant-rows.ts'
import { actAsRole, type Tripwire } from './testing-tripwire.ts'

type Transact = Transaction<Tables>

export interface CallContext {
  readonly db: Transact
  readonly deps: AccountsDeps & { readonly db: Transact }
  readonly a: Tenant
  readonly b: Tenant
  readonly actor: Actor
  /** B, in a browser. */
  readonly principal: Principal
  readonly now: Date
}

export interface Call<Prepared = unknown> {
  readonly name: string
  /** Runs before A gets the twins. */
  readonly prepare?: (context: CallContext) => Promise<Prepared>
  readonly run: (context: CallContext, prepared: Prepared) => Promise<unknown>
}

export const call = <Prepared>(
  name: string,
  run: Call<Prepared>['run'],
  prepare?: NonNullable<Call<Prepared>['prepare']>,
): Call => ({ name, run: run as Call['run'], ...(prepare && { prepare }) })

class RolledBack extends Error {}

/**
 * Returns the statements of the call that touched a row of A, and its error if it failed. All changes are rolled back.
 */
export async function leaksOfCall(
  db: Db,
  {
    tripwire,
    role,
    context,
  }: { tripwire: Tripwire; role: string; context: Omit<CallContext, 'db' | 'now' | 'deps'> & { deps: object } },
  { prepare, run }: Call,
): Promise<string[]> {
  const leaks: string[] = []
  await db
    .transaction()
    .execute(async (transaction) => {
      const now = new Date()
      const deps = { ...context.deps, db: transaction, clock: { now: () => now } } as unknown as CallContext['deps']
      const whole: CallContext = { ...context, db: transaction, deps, now }
      await sql`set local session_replication_role = replica`.execute(transaction)
      const prepared = await prepare?.(whole)
      await sql`select twin_rows()`.execute(transaction)
      await sql`set local session_replication_role = default`.execute(transaction)
      await actAsRole(transaction, role)
      tripwire.take()
      await run(whole, prepared).catch((error: unknown) => leaks.push(String(error)))
      leaks.unshift(...tripwire.take())
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  return leaks
}

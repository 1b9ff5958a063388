/** Customers with something to be billed, for the tests of this slice. */
import type { Db } from '../platform/db/index.ts'
import type { RouterSpan } from '../routers/index.ts'
import { ensureBillingCustomers } from './customers/customers.ts'

let people = 0

/** Somebody whom billing knows. */
export async function addPayer(db: Db, change: { isAdmin?: boolean } = {}): Promise<number> {
  const row = {
    email: `payer${++people}@example.net`,
    first_name: 'Pat',
    last_name: 'Payer',
    password_hash: 'none',
    is_admin: change.isAdmin ?? false,
    email_verified_at: null,
    last_sign_in_at: null,
    last_sign_in_ip: null,
    closed_at: null,
  }
  const { id } = await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
  await ensureBillingCustomers(db, [id])
  return id
}

let routers = 1_000_000

/** A router that existed from then to then; there is no machine behind it. */
export async function addSpan(
  db: Db,
  userId: number,
  change: Partial<Omit<RouterSpan, 'userId'>> & { readonly startedAt: Date },
): Promise<number> {
  const routerId = change.routerId ?? ++routers
  await db
    .insertInto('router_spans')
    .values({
      router_id: routerId,
      user_id: userId,
      router_name: change.routerName ?? 'edge1',
      plan_slug: change.planSlug ?? 'swift',
      plan_name: change.planName ?? 'Swift',
      hourly_price: change.hourlyPrice ?? 2,
      monthly_price: change.monthlyPrice ?? 990,
      currency: change.currency ?? 'EUR',
      started_at: change.startedAt,
      ended_at: change.endedAt ?? null,
    })
    .execute()
  return routerId
}

/** Traffic of one slot. */
export const addSlot = (db: Db, userId: number, routerId: number, slot: Date, rx: number, tx: number) =>
  db
    .insertInto('router_slots')
    .values({
      router_id: routerId,
      user_id: userId,
      slot,
      seconds: 300,
      cpu_seconds: null,
      memory: null,
      rx_bytes: rx,
      tx_bytes: tx,
    })
    .execute()

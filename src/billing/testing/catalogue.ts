/** One plan for sale, for tests that need no hypervisor. */
import type { Db } from '../../platform/db/index.ts'

export async function ensureSwift(db: Db) {
  const plan = {
    slug: 'swift',
    name: 'Swift',
    cpus: 1,
    memory: 512,
    disk_size: 4,
    hourly_price: 2,
    monthly_price: 990,
    currency: 'EUR',
    retired_at: null,
  }
  await db
    .insertInto('plans')
    .values(plan)
    .onConflict((clash) => clash.doNothing())
    .execute()
  return db.selectFrom('plans').selectAll().where('slug', '=', 'swift').executeTakeFirstOrThrow()
}

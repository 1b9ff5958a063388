import '../accounts/index.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'

/**
 * Returns whether this installation is a demonstration, or becomes one at this start: the operator set it, or the
 * database is empty or a demonstration's.
 */
export async function isDemonstration({ DEMO, loopback }: Config, db: Db): Promise<boolean> {
  return DEMO ?? (loopback && (await isEmptyOrDemonstration(db)))
}

async function isEmptyOrDemonstration(db: Db): Promise<boolean> {
  const users = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (!users) return true
  const demo = await db.selectFrom('users').select('id').where('email', '=', 'staff@example.net').executeTakeFirst()
  return demo !== undefined
}

import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { routerConditions } from '../../routers/index.ts'

export interface FoundRouter {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly accountId: AccountId
}

/** Finds routers, newest first. Deleted ones are included only if they can be restored. */
export async function findRouters(db: Db, text: string, most: number): Promise<FoundRouter[]> {
  const conditions = routerConditions(text)
  if (conditions.length === 0) return []
  return db
    .selectFrom('routers')
    .select(['id', 'uuid', 'name', 'account_id as accountId'])
    .where((eb) => eb.or([eb('desired_state', '!=', 'absent'), eb('purge_at', 'is not', null)]))
    .where((eb) => eb.or(conditions))
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}

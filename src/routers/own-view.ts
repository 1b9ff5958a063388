/** Returns one router as its owner's list shows it, for code outside the list. */
import type { AccountId } from '../kernel/ids.ts'
import type { Db } from '../platform/db/index.ts'
import type { Router } from './contract.ts'
import { findOwnRouter } from './queries.ts'
import { viewRouter } from './view.ts'

/** Null for another user's router, and for one that is gone. */
export async function viewOwnRouter(db: Db, accountId: AccountId, id: number): Promise<Router | null> {
  const row = await findOwnRouter(db, accountId, id)
  return row ? viewRouter(row) : null
}

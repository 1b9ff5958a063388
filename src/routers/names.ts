import type { AccountId } from '../kernel/ids.ts'
import { invalid, type FieldProblem } from '../kernel/problem.ts'
import { violates } from '../platform/db/constraint.ts'
import type { Db } from '../platform/db/index.ts'
import './tables.ts'

export const TAKEN_NAME: FieldProblem = { field: 'name', message: 'is the name of another of your routers' }

/**
 * Two concurrent requests can pass this check. The unique index then stops the second, and {@link explainTakenName}
 * gives the same message.
 */
export async function isTakenName(db: Db, accountId: AccountId, name: string, except = 0): Promise<boolean> {
  const found = await db
    .selectFrom('routers')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => eb(eb.fn('lower', ['name']), '=', name.toLowerCase()))
    .where('desired_state', '!=', 'absent')
    .where('id', '!=', except)
    .executeTakeFirst()
  return found !== undefined
}

export async function explainTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (violates(error, 'routers_name')) throw invalid([TAKEN_NAME])
    throw error
  }
}

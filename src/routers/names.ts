import { invalid } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import './tables.ts'

const taken = () => invalid([{ field: 'name', message: 'is the name of another of your routers' }])

/** Two at once get past this; the unique index then stops the second, and {@link explainTakenName} says the same of it. */
export async function refuseTakenName(db: Db, userId: number, name: string, except = 0): Promise<void> {
  const found = await db
    .selectFrom('routers')
    .select('id')
    .where('user_id', '=', userId)
    .where((eb) => eb(eb.fn('lower', ['name']), '=', name.toLowerCase()))
    .where('wish', '!=', 'absent')
    .where('id', '!=', except)
    .executeTakeFirst()
  if (found) throw taken()
}

export async function explainTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'routers_name') throw taken()
    throw error
  }
}

/** The addresses that are notified of a reset. An address that was changed recently may belong to a thief. */
import type { UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import type { Addressee } from '../emails/emails.ts'
import { FORMER_ADDRESS_DAYS } from './limits.ts'
import { accountOf } from '../owner.ts'
import '../tables.ts'

const DAY = 86_400_000

/** Returns the address of the account and those that it had within the last 30 days. */
export async function addressesOf(db: Db, userId: UserId, now: Date): Promise<Addressee[]> {
  const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  const changes = await db
    .selectFrom('audit_events')
    .select(sql<string>`data ->> 'from'`.as('from'))
    .where('account_id', '=', await accountOf(db, userId))
    .where('action', '=', 'email.changed')
    .where('at', '>', new Date(now.getTime() - FORMER_ADDRESS_DAYS * DAY))
    .orderBy('id')
    .execute()
  return [...new Set([email, ...changes.map(({ from }) => from)])].map((address) => ({ email: address, userId }))
}

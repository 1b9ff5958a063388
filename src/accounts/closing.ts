/** Closing an account: nobody signs in any more, its address and its ASN are free again, its row stays for the books. */
import { conflict } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import type { AccountsDeps } from './deps.ts'
import { recordAccountEvent } from './events.ts'
import { sendClosed } from './letters.ts'
import { voidOpenLinks } from './asn-holding.ts'

/** What opens the account, or is of use to nobody once it is closed. */
const BELONGINGS = [
  'sessions',
  'api_tokens',
  'mail_tokens',
  'email_changes',
  'totp_factors',
  'recovery_codes',
  'passkeys',
  'muted_mails',
  'ssh_keys',
  'asn_holdings',
] as const

/** In words, what is in the way: something still runs, something is still owed. */
export async function findClosingObstacles(deps: AccountsDeps, db: Db, userId: number): Promise<string[]> {
  const { is_admin } = await db
    .selectFrom('users')
    .select('is_admin')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const obstacles = is_admin ? ['An account of staff must lose its role first.'] : []
  for (const ask of deps.closingObstacles ?? []) {
    const obstacle = await ask(db, userId)
    if (obstacle) obstacles.push(obstacle)
  }
  return obstacles
}

/** Throws 409 with everything that is in the way. */
export async function closeAccount(deps: AccountsDeps, db: Db, actor: Actor, userId: number): Promise<void> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const obstacles = await findClosingObstacles(deps, db, userId)
  if (obstacles.length > 0) throw conflict(obstacles.join(' '))

  await voidOpenLinks(db, userId)
  for (const table of BELONGINGS) await db.deleteFrom(table).where('user_id', '=', userId).execute()
  await db
    .updateTable('users')
    .set({ closed_at: deps.clock.now(), email: `closed-${userId}@account.invalid`, password_hash: '' })
    .where('id', '=', userId)
    .execute()
  await deps.onClosed?.(db, userId)
  await sendClosed(db, deps, { email, userId })
  await recordAccountEvent(db, actor, userId, 'account.closed')
}

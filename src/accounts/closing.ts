/**
 * Closes an account: it cannot sign in any more, its address and ASN are free again, and its row is kept for the
 * books.
 */
import { conflict } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { AccountsDeps } from './deps.ts'
import { recordUserEvent } from './events.ts'
import { sendClosed } from './emails/emails.ts'
import { voidReset } from './second-factor-reset/end-reset.ts'
import { readStaffSuspension } from './suspended-by-staff.ts'
import { voidOpenLinks } from './asn/asn-ownership.ts'

/** Tables with rows that grant access to the account or are useless once it is closed. */
const BELONGINGS = [
  'sessions',
  'api_tokens',
  'mail_tokens',
  'email_changes',
  'totp_factors',
  'recovery_codes',
  'passkeys',
  'muted_mails',
] as const

type Closing = Pick<Principal, 'userId' | 'accountId'>

/** Returns the reasons why the account cannot be closed: something still runs or is still owed. */
export async function findClosingBlockers(
  deps: AccountsDeps,
  db: Db,
  { userId, accountId }: Closing,
): Promise<string[]> {
  const { is_admin } = await db
    .selectFrom('users')
    .select('is_admin')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const blockers = is_admin ? ['An account of staff must lose its role first.'] : []
  if ((await readStaffSuspension(db, accountId)) !== null) blockers.push('A suspended account can’t be closed.')
  for (const ask of deps.closingBlockers ?? []) {
    const blocker = await ask(db, accountId)
    if (blocker) blockers.push(blocker)
  }
  return blockers
}

/** Throws 409 with every reason that prevents closing. */
export async function closeAccount(
  deps: AccountsDeps,
  db: Db,
  actor: Actor,
  { userId, accountId }: Closing,
): Promise<void> {
  await voidReset(db, userId, deps.clock.now())
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const blockers = await findClosingBlockers(deps, db, { userId, accountId })
  if (blockers.length > 0) throw conflict(blockers.join(' '))

  await voidOpenLinks(db, accountId)
  for (const table of BELONGINGS) await db.deleteFrom(table).where('user_id', '=', userId).execute()
  for (const table of ['ssh_keys', 'asn_ownerships'] as const)
    await db.deleteFrom(table).where('account_id', '=', accountId).execute()
  await db
    .updateTable('users')
    .set({ closed_at: deps.clock.now(), email: `closed-${userId}@account.invalid`, password_hash: '' })
    .where('id', '=', userId)
    .execute()
  await deps.onClosed?.(db, accountId)
  await sendClosed(db, deps, { email, userId })
  await recordUserEvent(db, actor, userId, 'account.closed')
}

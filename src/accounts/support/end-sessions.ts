/** Staff end all sessions of a user, for example after a lost computer or a stolen account. */
import type { UserId } from '../../kernel/ids.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Sender } from '../deps.ts'
import { sendSignedOut } from '../emails/support-emails.ts'
import { recordUserEvent } from '../events.ts'
import { requireOwnerForStaff, requireUser } from './target.ts'

/**
 * Returns how many ended. API tokens stay: a new password revokes those. Throws 403 for a staff account, unless an
 * owner asks.
 */
export async function endSessionsOf(
  deps: Sender,
  db: Db,
  { actor, principal }: { readonly actor: Actor; readonly principal: Principal },
  userId: UserId,
  reason: string,
): Promise<number> {
  const user = await requireUser(db, userId)
  requireOwnerForStaff(user, principal)
  const ended = await db.deleteFrom('sessions').where('user_id', '=', userId).returning('id').execute()
  if (ended.length === 0) return 0
  const sessions = ended.map(({ id }) => id)
  await recordUserEvent(db, actor, userId, 'session.ended_by_staff', { sessions, reason })
  await sendSignedOut(db, deps, { email: user.email, userId })
  return ended.length
}

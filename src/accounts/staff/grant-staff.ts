/** Making somebody staff from the operator's shell: the first of them has nobody who could do it in the portal. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { StaffRole } from '../../kernel/required-role.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { email as emailSchema, givenName } from '../contract/shapes.ts'
import type { Sender } from '../deps.ts'
import { recordAccountEvent } from '../events.ts'
import { link } from '../emails/emails.ts'
import { issueMailToken, voidMailTokens } from '../emails/mail-tokens.ts'
import { hashPassword } from '../passwords.ts'
import { foldEmail } from '../users.ts'

export interface NewStaffMember {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** Added to what they have. */
  readonly role: StaffRole
}

const newUser = z.object({ email: emailSchema, firstName: givenName, lastName: givenName })

export interface StaffGrant {
  readonly userId: number
  /** Null where the account was proved before: its password stays. */
  readonly setPasswordUrl: string | null
}

/**
 * Again, it only makes a new link while no password was set. An account whose address nobody has proved may have been
 * made by anyone: its password and its open links count for nothing.
 */
export async function grantStaffRole(
  deps: Pick<Sender, 'publicUrl'> & { readonly clock: Clock },
  database: Db,
  actor: Actor,
  newStaffMember: NewStaffMember,
): Promise<StaffGrant> {
  const { email: address, firstName, lastName } = read(newStaffMember)
  const email = foldEmail(address)
  const names = { first_name: firstName, last_name: lastName }
  const now = deps.clock.now()
  const unknown = await hashPassword(randomBytes(32).toString('base64url'))
  return inTransaction(database, async (db) => {
    await db
      .insertInto('users')
      .values({ ...names, email, password_hash: unknown, created_at: now, email_verified_at: null })
      .onConflict((clash) => clash.column('email').doNothing())
      .execute()
    const user = await db
      .selectFrom('users')
      .select(['id', 'staff_roles', 'email_verified_at'])
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!user.staff_roles.includes(newStaffMember.role)) {
      const roles = [...user.staff_roles, newStaffMember.role]
      await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', user.id).execute()
      await recordAccountEvent(db, actor, user.id, 'account.staff_granted', { before: user.staff_roles, after: roles })
    }
    if (user.email_verified_at) return { userId: user.id, setPasswordUrl: null }
    await db
      .updateTable('users')
      .set({ ...names, password_hash: unknown })
      .where('id', '=', user.id)
      .execute()
    await voidMailTokens(db, user.id, ['verify_email', 'reset_password'])
    const token = await issueMailToken(db, 'reset_password', user.id, now)
    return { userId: user.id, setPasswordUrl: link(deps, '/password/new', token) }
  })
}

/** No border has looked at it: it comes from the shell. */
function read(newStaffMember: NewStaffMember): z.output<typeof newUser> {
  const parsed = newUser.safeParse(newStaffMember)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })))
}

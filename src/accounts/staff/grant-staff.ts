/** Grants staff access from the operator's CLI: nobody could grant it to the first member in the portal. */
import type { UserId } from '../../kernel/ids.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { StaffRole } from '../../kernel/required-role.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { email as emailSchema, givenName } from '../contract/shapes.ts'
import type { Sender } from '../deps.ts'
import { recordUserEvent } from '../events.ts'
import { link } from '../emails/emails.ts'
import { issueMailToken, voidMailTokens } from '../emails/mail-tokens.ts'
import { hashPassword } from '../passwords.ts'
import { addUser, foldEmail } from '../users.ts'

export interface NewStaffMember {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** Added to the roles that the user already has. */
  readonly role: StaffRole
}

const newUser = z.object({ email: emailSchema, firstName: givenName, lastName: givenName })

export interface StaffGrant {
  readonly userId: UserId
  /** Null if the address was already confirmed: the account keeps its password. */
  readonly setPasswordUrl: string | null
}

/**
 * Running it again only makes a new link while no password is set. An account with an unconfirmed address may have
 * been created by anyone, so its password and open links are voided.
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
    await addUser(db, { ...names, email, password_hash: unknown, created_at: now })
    const user = await db
      .selectFrom('users')
      .select(['id', 'staff_roles', 'email_verified_at'])
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!user.staff_roles.includes(newStaffMember.role)) {
      const roles = [...user.staff_roles, newStaffMember.role]
      await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', user.id).execute()
      await recordUserEvent(db, actor, user.id, 'account.staff_granted', { before: user.staff_roles, after: roles })
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

/** Validates the input, which comes from the CLI and not through the API. */
function read(newStaffMember: NewStaffMember): z.output<typeof newUser> {
  const parsed = newUser.safeParse(newStaffMember)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })))
}

import { hashPassword } from '../accounts/passwords.ts'
import type { Db } from '../platform/db/index.ts'

/** Adds a confirmed user; the email decides whether it is an account of the demonstration. */
export async function addUser(db: Db, email: string): Promise<void> {
  await db
    .insertInto('users')
    .values({
      email,
      first_name: 'Ann',
      last_name: 'Example',
      password_hash: await hashPassword('a heron stood still'),
      email_verified_at: new Date(),
      last_sign_in_at: null,
      last_sign_in_ip: null,
      closed_at: null,
    })
    .execute()
}

/** The three accounts of the demonstration, and further users that nobody signs in as. */
import type { AccountId, UserId } from '../kernel/ids.ts'
import { randomUUID } from 'node:crypto'
import type { StaffRole } from '../kernel/required-role.ts'
import { manualClock, type Clock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { claimAsn } from './asn/asn-ownership.ts'
import { vouchForAsn } from './asn/verification.ts'
import type { AccountsDeps, Sender } from './deps.ts'
import { hashPassword } from './passwords.ts'

export interface SeededAccounts {
  readonly staffId: UserId
  readonly customerId: AccountId
  readonly newcomerId: AccountId
}

const STAFF = {
  email: 'staff@example.net',
  first_name: 'Robin',
  last_name: 'Teal',
  staff_roles: ['owner'] as StaffRole[],
}
const CUSTOMER = { email: 'customer@example.net', first_name: 'Kes', last_name: 'Falkner', staff_roles: [] }
const NEWCOMER = { email: 'newcomer@example.net', first_name: 'Pip', last_name: 'Plover', staff_roles: [] }
/** Kestrel Networks in the lab data. */
const CUSTOMER_ASN = 500_010

/** Staff joined before the first customer; the new customer signed up today. */
const STAFF_SINCE_DAYS = 200

/**
 * Seeds the accounts, all with the same password, into an empty database. `customer@` has a verified ASN since
 * `customerSince`.
 */
export function seedAccounts(
  deps: Sender & Pick<AccountsDeps, 'secretKey'> & { db: Db; clock: Clock },
  password: string,
  customerSince: Date = deps.clock.now(),
): Promise<SeededAccounts> {
  return inTransaction(deps.db, async (db) => {
    const password_hash = await hashPassword(password)
    const now = deps.clock.now()
    const add = async (newUser: typeof STAFF, since: Date): Promise<{ id: UserId; account_id: AccountId }> => {
      const row = { ...newUser, password_hash, email_verified_at: since, created_at: since }
      const unset = { last_sign_in_at: null, last_sign_in_ip: null, closed_at: null }
      return db
        .insertInto('users')
        .values({ ...row, ...unset })
        .returning(['id', 'account_id'])
        .executeTakeFirstOrThrow()
    }
    const { id: staffId } = await add(STAFF, new Date(Math.min(+now - STAFF_SINCE_DAYS * 86_400_000, +customerSince)))
    const { account_id: customerId } = await add(CUSTOMER, customerSince)
    const { account_id: newcomerId } = await add(NEWCOMER, now)
    await seedVerifiedAsn({ ...deps, clock: manualClock(customerSince) }, db, {
      staffId,
      accountId: customerId,
      asn: CUSTOMER_ASN,
    })
    return { staffId, customerId, newcomerId }
  })
}

export interface SeededUser {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly createdAt: Date
  readonly lastSignInAt?: Date
}

/** Seeds customers with random passwords that are not stored. Returns their accounts in the same order. */
export async function seedUsers(db: Db, users: readonly SeededUser[]): Promise<AccountId[]> {
  const password_hash = await hashPassword(randomUUID())
  const rows = users.map(({ email, firstName, lastName, createdAt, lastSignInAt = null }) => ({
    email,
    first_name: firstName,
    last_name: lastName,
    staff_roles: [],
    password_hash,
    email_verified_at: createdAt,
    created_at: createdAt,
    last_sign_in_at: lastSignInAt,
    last_sign_in_ip: lastSignInAt && '198.51.100.23',
    closed_at: null,
  }))
  const inserted = await db.insertInto('users').values(rows).returning(['account_id', 'email']).execute()
  return users.map(({ email }) => inserted.find((row) => row.email === email)!.account_id)
}

/** Seeds an ASN verified by staff. */
export async function seedVerifiedAsn(
  deps: Sender & Pick<AccountsDeps, 'secretKey'> & { clock: Clock },
  db: Db,
  { staffId, accountId, asn }: { readonly staffId: UserId; readonly accountId: AccountId; readonly asn: number },
): Promise<void> {
  await claimAsn(db, SYSTEM, accountId, asn)
  await vouchForAsn(deps, db, { ...SYSTEM, kind: 'staff', userId: staffId }, accountId)
}

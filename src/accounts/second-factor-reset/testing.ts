/** Test fixtures for resets: accounts that lost their second factor, and the staff who reset it. */
import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import type { StaffRole } from '../../kernel/required-role.ts'
import { encrypt } from '../../platform/encryption.ts'
import { base32, codeAt, stepAt, TOTP_PURPOSE } from '../second-factor/totp.ts'
import { createAccountsTestApp, type Answer, type Browser } from '../testing.ts'
import { digestOf } from '../tokens.ts'
import { secondFactorResetReconciler } from './reset-job.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const REASON = 'They lost their phone, ticket 4711.'
export const IDENTITY_CHECK = 'Video call, passport, last two invoices.'
const SECRET = Buffer.from('a secret of an app..')
/** In the form that a user writes down; the database stores its digest. */
export const RECOVERY_CODE = base32(Buffer.alloc(10, 7))

export async function createResetTestApp() {
  const testApp = await createAccountsTestApp()
  const { addUser, signedIn, db, clock, deps } = testApp

  const addStaff = async (...roles: StaffRole[]) => {
    const newUser = await addUser({ isAdmin: true })
    await db.updateTable('users').set({ staff_roles: roles }).where('id', '=', newUser.id).execute()
    return { ...newUser, browser: await signedIn(newUser.email) }
  }
  type Staff = Awaited<ReturnType<typeof addStaff>>

  /** Signs in again, so that the session is fresh wherever the test clock is. */
  const as = async ({ id, browser }: Staff): Promise<Browser> => {
    const now = clock.now()
    await db
      .updateTable('sessions')
      .set({ created_at: now, last_seen_at: now, confirmed_at: now })
      .where('user_id', '=', id)
      .execute()
    return browser
  }

  const addFactors = async (userId: UserId): Promise<void> => {
    const encrypted = encrypt(deps.secretKey, TOTP_PURPOSE, SECRET)
    await db
      .insertInto('totp_factors')
      .values({ user_id: userId, encrypted_secret: encrypted, confirmed_at: clock.now() })
      .execute()
    const digest = digestOf(RECOVERY_CODE)
    await db.insertInto('recovery_codes').values({ user_id: userId, digest }).execute()
  }
  /** Adds an account with an authenticator app and one recovery code. */
  const addProtected = async (newUser: { isAdmin?: boolean } = {}) => {
    const added = await addUser(newUser)
    await addFactors(added.id)
    return added
  }
  const codeNow = (): string => codeAt(SECRET, stepAt(clock.now()))

  /** Writes an audit log entry about someone's staff access or email address at the given time. */
  const writeEvent = (
    userId: number,
    action: string,
    at: Date,
    more: { readonly kind?: 'staff' | 'system' | 'user'; readonly data?: object } = {},
  ) =>
    db
      .insertInto('audit_events')
      .values({
        at,
        actor_kind: more.kind ?? 'staff',
        actor_id: null,
        action,
        subject_type: 'user',
        subject_id: userId,
        account_id: accountIdOf(userId),
        ip: null,
        request_id: null,
        data: JSON.stringify(more.data ?? {}),
      })
      .execute()

  /** Returns the token of the link in the newest email to an address. */
  const stopTokenTo = async (email: string): Promise<string> => {
    const text = (await testApp.emailsTo(email)).at(-1)?.text ?? ''
    const [, token] = /\/verify\/email\?change=stop-reset\.([\w-]+)/.exec(text) ?? []
    if (!token) throw new Error(`no link was sent to ${email}`)
    return token
  }

  const of = (id: number, more = '') => `/api/admin/users/${id}/second_factor_resets${more}`
  const request = async (by: Staff, id: UserId): Promise<Answer> =>
    (await as(by)).call('POST', of(id), { reason: REASON, identityCheck: IDENTITY_CHECK })
  const latest = async (id: UserId): Promise<number> =>
    (
      await db
        .selectFrom('second_factor_resets')
        .select('id')
        .where('user_id', '=', id)
        .orderBy('id', 'desc')
        .executeTakeFirst()
    )?.id ?? 8_388_607
  const approve = async (by: Staff, id: UserId): Promise<Answer> =>
    (await as(by)).call('POST', of(id, `/${await latest(id)}/approve`), {})
  const cancel = async (by: Staff, id: UserId): Promise<Answer> =>
    (await as(by)).call('POST', of(id, `/${await latest(id)}/cancel`), { reason: 'It was a mistake of ours.' })
  const list = async (by: Staff, id: UserId) => (await (await as(by)).call('GET', of(id))).body
  const stateOf = async (by: Staff, id: UserId): Promise<string | undefined> => (await list(by, id)).resets[0]?.state

  const runJob = async (on = deps): Promise<void> => {
    const job = secondFactorResetReconciler(on)
    for (const id of await job.due()) await job.reconcile(id, AbortSignal.timeout(5_000))
  }

  return {
    ...testApp,
    addStaff,
    as,
    addFactors,
    addProtected,
    codeNow,
    writeEvent,
    of,
    request,
    approve,
    cancel,
    latest,
    list,
    stateOf,
    runJob,
    stopTokenTo,
  }
}

export type Staff = Awaited<ReturnType<Awaited<ReturnType<typeof createResetTestApp>>['addStaff']>>

import { describe, expect, test } from 'vitest'
import { createAccountsTestApp, fromBase32, PASSWORD } from '../testing.ts'
import { codeAt, stepAt } from './totp.ts'

const { addUser, signedIn, clock, db } = await createAccountsTestApp(null, true)
const customer = await addUser()
const url = `/api/admin/users/${customer.id}/asn_verifications/new`

describe('where staff need a second factor', () => {
  test('they sign in without one, and everything that only staff may is refused with the way out', async () => {
    const { email } = await addUser({ isAdmin: true })
    const mine = await signedIn(email)
    expect((await mine.call('GET', '/api/user')).body).toMatchObject({ isAdmin: true, needsSecondFactor: true })
    expect(await mine.call('GET', url)).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
    const reason = 'They asked for a look at it.'
    expect((await mine.call('POST', `/api/admin/users/${customer.id}/impersonation`, { reason })).body.code).toBe(
      'second_factor_required',
    )
  })

  test('it opens with the authenticator app, at once, and closes again without it', async () => {
    const { id, email } = await addUser({ isAdmin: true })
    const mine = await signedIn(email)
    const begun = await mine.call('POST', '/api/user/totp', {})
    expect((await mine.call('GET', url)).status).toBe(403)
    await mine.call('PUT', '/api/user/totp', { code: codeAt(fromBase32(begun.body.secret), stepAt(clock.now())) })
    expect((await mine.call('GET', url)).status).toBe(200)
    expect((await mine.call('GET', '/api/user')).body.needsSecondFactor).toBe(false)
    await db.deleteFrom('totp_factors').where('user_id', '=', id).execute()
    expect((await mine.call('GET', url)).status).toBe(403)
  })

  test('it opens with a passkey', async () => {
    const { id, email } = await addUser({ isAdmin: true })
    const mine = await signedIn(email)
    await db
      .insertInto('passkeys')
      .values({
        user_id: id,
        credential_id: Buffer.from('a'),
        public_key: Buffer.from('b'),
        counter: 0,
        transports: [],
        name: 'Key',
        synced: false,
        created_at: clock.now(),
        last_used_at: null,
      })
      .execute()
    expect((await mine.call('GET', url)).status).toBe(200)
  })

  test('a token of theirs opens no more than they do', async () => {
    const { email } = await addUser({ isAdmin: true })
    const mine = await signedIn(email)
    const { body } = await mine.call('POST', '/api/user/api_tokens', { name: 'ci', scopes: ['staff:read'] })
    const answer = await mine.call('GET', url, undefined, { authorization: `Bearer ${body.token}` })
    expect(answer).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
  })

  test('customers are asked for nothing, and are told apart from staff', async () => {
    const mine = await signedIn(customer.email)
    expect((await mine.call('GET', '/api/user')).body.needsSecondFactor).toBe(false)
    expect((await mine.call('GET', url)).body.code).not.toBe('second_factor_required')
    expect((await mine.call('POST', '/api/session', { email: customer.email, password: PASSWORD })).status).toBe(201)
  })
})

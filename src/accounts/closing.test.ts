import { accountIdOf, idsOf } from '../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../platform/audit.ts'
import { claimAsn } from './asn/asn-ownership.ts'
import { vouchForAsn } from './asn/verification.ts'
import { closeAccount } from './closing.ts'
import { createAccountsTestApp, PASSWORD } from './testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, db, deps, emailsTo, signedIn } = testApp

describe('closing an account', () => {
  test('lets no one in any more, and frees its address and its ASN', async () => {
    const { id, email } = await addUser()
    await claimAsn(db, SYSTEM, accountIdOf(id), 500_077)
    await vouchForAsn(deps, db, SYSTEM, accountIdOf(id))
    const [here, there] = [await signedIn(email), await signedIn(email)]
    expect((await here.call('POST', '/api/user/close', { email: 'another@example.net' })).status).toBe(422)
    expect((await here.call('POST', '/api/user/close', { email })).status).toBe(204)
    expect((await there.call('GET', '/api/user')).status).toBe(401)
    const signIn = await browser().call('POST', '/api/session', { email, password: PASSWORD })
    expect(signIn).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    expect((await emailsTo(email)).at(-1)?.subject).toBe('Your Longhaul account is closed')

    const next = await addUser()
    expect(await claimAsn(db, SYSTEM, accountIdOf(next.id), 500_077)).toEqual({ changed: true })
    await browser().call('POST', '/api/users', { firstName: 'A', lastName: 'B', email, password: PASSWORD })
    const again = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    expect(again.id).not.toBe(id)
  })

  test('is refused with everything that is in the way, and changes nothing then', async () => {
    const { id, email } = await addUser()
    const mine = await signedIn(email)
    const closingBlockers = [async () => 'Delete your routers first.', async () => null, async () => 'Pay INV-7.']
    await expect(closeAccount({ ...deps, closingBlockers }, db, SYSTEM, idsOf(id))).rejects.toMatchObject({
      status: 409,
      detail: 'Delete your routers first. Pay INV-7.',
    })
    expect((await mine.call('GET', '/api/user')).status).toBe(200)
  })

  test('is not for staff', async () => {
    const { email } = await addUser({ isAdmin: true })
    const mine = await signedIn(email)
    expect((await mine.call('POST', '/api/user/close', { email })).status).toBe(409)
  })
})

import { describe, expect, test } from 'vitest'
import { createChallenge, isChallenge } from './passkey-challenge.ts'
import { relyingPartyOf } from './relying-party.ts'
import { createAuthenticator } from './testing-authenticator.ts'
import { createAccountsTestApp, type Browser } from '../testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, clock, db, emailsTo, signedIn } = testApp
const MINUTE = 60_000

type Authenticator = ReturnType<typeof createAuthenticator>

async function register(mine: Browser, authenticator: Authenticator, name = 'Phone') {
  const { body } = await mine.call('POST', '/api/user/passkeys/requests', {})
  return mine.call('POST', '/api/user/passkeys', { name, credential: authenticator.create(body) })
}
const ask = async (from: Browser) => (await from.call('POST', '/api/passkey_requests', {})).body
const signIn = async (authenticator: Authenticator, from = browser(), overrides = {}) =>
  from.call('POST', '/api/session/passkey', authenticator.get(await ask(from), overrides))

async function withPasskey() {
  const newUser = await addUser()
  const mine = await signedIn(newUser.email)
  const authenticator = createAuthenticator()
  const { body } = await register(mine, authenticator)
  return { ...newUser, mine, authenticator, passkeyId: body.id as number }
}

describe('a passkey', () => {
  test('is registered, signs in without a word typed, and tells its owner', async () => {
    const { id, email, authenticator } = await withPasskey()
    const from = browser()
    expect(await signIn(authenticator, from)).toMatchObject({ status: 201, body: { id, email } })
    const listed = (await from.call('GET', '/api/user/passkeys')).body
    expect(listed).toMatchObject([{ name: 'Phone', synced: false, lastUsedAt: clock.now().toISOString() }])
    expect((await emailsTo(email)).at(-1)?.subject).toBe('A passkey was added to your account')
  })

  test('counts for what matters, at the door and later', async () => {
    const { authenticator } = await withPasskey()
    const mine = browser()
    await signIn(authenticator, mine)
    expect((await mine.call('POST', '/api/user/totp', {})).status).toBe(201)
    clock.advance(10 * MINUTE)
    expect((await mine.call('POST', '/api/user/totp', {})).status).toBe(403)
    const request = await ask(mine)
    expect(request.allowed).toEqual([{ id: authenticator.id, transports: ['internal'] }])
    const confirmed = await mine.call('POST', '/api/session/confirmation/passkey', authenticator.get(request))
    expect(confirmed.status).toBe(204)
    expect((await mine.call('POST', '/api/user/totp', {})).status).toBe(201)
  })

  test.each([
    ['of another page', { origin: 'https://portal.example.org' }],
    ['of another host', { relyingPartyId: 'example.org' }],
    ['to a question that we did not ask', { challenge: Buffer.alloc(54, 7).toString('base64url') }],
    ['of a device that did not check who holds it', { verified: false }],
  ])('does not sign in with an answer %s', async (_, overrides) => {
    const { authenticator } = await withPasskey()
    expect(await signIn(authenticator, browser(), overrides)).toMatchObject({ status: 401 })
    expect((await signIn(authenticator)).status).toBe(201)
  })

  test('does not sign in with a signature of another key, nor into another account', async () => {
    const { authenticator } = await withPasskey()
    const request = await ask(browser())
    const otherUser = createAuthenticator()
    const forged = { ...otherUser.get(request), id: authenticator.id }
    expect((await browser().call('POST', '/api/session/passkey', forged)).status).toBe(401)
    const swapped = { ...authenticator.get(request), userHandle: 'AAAA' }
    expect((await browser().call('POST', '/api/session/passkey', swapped)).status).toBe(401)
    expect((await browser().call('POST', '/api/session/passkey', otherUser.get(request))).status).toBe(401)
  })

  test('answers each question once, also when twenty bring the answer at once', async () => {
    const { authenticator } = await withPasskey()
    const answer = authenticator.get(await ask(browser()))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser().call('POST', '/api/session/passkey', answer)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  test('answers within five minutes', async () => {
    const { authenticator } = await withPasskey()
    const request = await ask(browser())
    clock.advance(5 * MINUTE)
    expect((await browser().call('POST', '/api/session/passkey', authenticator.get(request))).status).toBe(401)
  })

  test('a copied passkey is detected by its counter', async () => {
    const { authenticator } = await withPasskey()
    expect((await signIn(authenticator)).status).toBe(201)
    authenticator.rewind()
    expect((await signIn(authenticator)).status).toBe(401)
  })

  test('a passkey of another account proves nothing, and is indistinguishable from an absent one', async () => {
    const [own, other] = [await withPasskey(), await withPasskey()]
    const request = await ask(own.mine)
    const answer = await own.mine.call('POST', '/api/session/confirmation/passkey', other.authenticator.get(request))
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'credential' }] } })
    expect((await own.mine.call('DELETE', `/api/user/passkeys/${other.passkeyId}`)).status).toBe(404)
    expect((await own.mine.call('PATCH', `/api/user/passkeys/${other.passkeyId}`, { name: 'X' })).status).toBe(404)
    const toOther = await ask(other.mine)
    expect((await browser().call('POST', '/api/session/passkey', other.authenticator.get(toOther))).status).toBe(401)
  })

  test('is renamed and removed, and opens nothing from then on', async () => {
    const { email, mine, authenticator, passkeyId } = await withPasskey()
    expect(await mine.call('PATCH', `/api/user/passkeys/${passkeyId}`, { name: 'Old phone' })).toMatchObject({
      status: 200,
      body: { name: 'Old phone' },
    })
    expect((await mine.call('DELETE', `/api/user/passkeys/${passkeyId}`)).status).toBe(204)
    expect((await signIn(authenticator)).status).toBe(401)
    expect((await emailsTo(email)).at(-1)?.subject).toBe('A passkey was removed from your account')
  })

  test('does not open an account that was closed', async () => {
    const { email, mine, authenticator } = await withPasskey()
    expect((await mine.call('POST', '/api/user/close', { email })).status).toBe(204)
    expect((await signIn(authenticator)).status).toBe(401)
  })
})

describe('registering a passkey', () => {
  test('takes an answer to a question of the same account, once', async () => {
    const [one, other] = [await addUser(), await addUser()]
    const [mine, theirs] = [await signedIn(one.email), await signedIn(other.email)]
    const authenticator = createAuthenticator()
    const { body: request } = await theirs.call('POST', '/api/user/passkeys/requests', {})
    const stolen = await mine.call('POST', '/api/user/passkeys', {
      name: 'X',
      credential: authenticator.create(request),
    })
    expect(stolen).toMatchObject({ status: 422, body: { errors: [{ field: 'credential' }] } })
    const credential = createAuthenticator().create((await mine.call('POST', '/api/user/passkeys/requests', {})).body)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => mine.call('POST', '/api/user/passkeys', { name: 'X', credential })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422, 422, 422])
  })

  test('takes a credential once, whichever account brings it', async () => {
    const { authenticator } = await withPasskey()
    const { email } = await addUser()
    const again = await register(await signedIn(email), authenticator)
    expect(again).toMatchObject({ status: 422, body: { errors: [{ message: 'is registered already' }] } })
  })

  test('takes twenty at most, also when they come at once', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    const answers = await Promise.all(Array.from({ length: 24 }, () => register(mine, createAuthenticator())))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
  })

  test('keeps no more than the public half', async () => {
    const { id } = await withPasskey()
    const row = await db.selectFrom('passkeys').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    expect(Object.keys(row).toSorted()).toEqual([
      'counter',
      'created_at',
      'credential_id',
      'id',
      'last_used_at',
      'name',
      'public_key',
      'synced',
      'transports',
      'user_handle',
      'user_id',
    ])
  })
})

describe('a challenge', () => {
  test('holds for its purpose, its key and its time, and shows every tampered bit', () => {
    const now = new Date('2026-03-02T09:00:00Z')
    const challenge = createChallenge('key', 'confirm 7', now)
    const text = challenge.toString('base64url')
    expect(isChallenge('key', 'confirm 7', text, now)).toBe(true)
    expect(isChallenge('key', 'confirm 8', text, now)).toBe(false)
    expect(isChallenge('key', 'register 7', text, now)).toBe(false)
    expect(isChallenge('key', 'sign-in', text, now)).toBe(false)
    expect(isChallenge('other', 'confirm 7', text, now)).toBe(false)
    expect(isChallenge('key', 'confirm 7', text, new Date(now.getTime() + 5 * MINUTE))).toBe(false)
    for (let bit = 0; bit < challenge.length * 8; bit++) {
      const tampered = Buffer.from(challenge)
      tampered[bit >> 3]! ^= 1 << (bit & 7)
      expect(isChallenge('key', 'confirm 7', tampered.toString('base64url'), now)).toBe(false)
    }
    for (const junk of ['', 'x', text.slice(0, 20), `${text}AA`])
      expect(isChallenge('key', 'confirm 7', junk, now)).toBe(false)
  })
})

test.each([
  ['https://portal.example.net', 'portal.example.net', 'https://portal.example.net'],
  ['http://127.0.0.1:8080', 'localhost', 'http://localhost:8080'],
  ['http://[::1]:8080', 'localhost', 'http://localhost:8080'],
  ['https://192.0.2.1', undefined, undefined],
  ['https://[2001:db8::1]', undefined, undefined],
])('passkeys of a portal at %s are bound to %s', (publicUrl, id, origin) => {
  const party = relyingPartyOf(publicUrl)
  expect([party?.id, party?.origins[0]]).toEqual([id, origin])
})

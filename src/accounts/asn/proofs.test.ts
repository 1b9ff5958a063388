import { accountIdOf } from '../../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import type { PeeringDbProfile } from '../../drivers/registry/index.ts'
import { RegistryError } from '../../drivers/registry/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { claimAsn } from './asn-ownership.ts'
import { asnToken } from './verification-link.ts'
import { vouchForAsn } from './verification.ts'
import { asnRecheckReconciler } from './recheck-job.ts'
import { tokenProofReconciler } from './remark-proof.ts'
import { whyNot } from './peeringdb-proof.ts'
import { createAccountsTestApp, type Browser } from '../testing.ts'

let profile: PeeringDbProfile | null | 'unreachable' = null
const testApp = await createAccountsTestApp({
  authorizeUrl: ({ state, redirectUri }) => `https://peeringdb.example/?${new URLSearchParams({ state, redirectUri })}`,
  identify: () =>
    profile === 'unreachable'
      ? Promise.reject(new RegistryError('unreachable', 'nobody answers'))
      : Promise.resolve(profile),
})
const { addUser, clock, db, deps, emailsTo, registry, signedIn } = testApp
const MINUTE = 60_000
const DAY = 86_400_000

let lastAsn = 500_700
function publish(asn: number, remarks: string[]): void {
  registry.records.set(asn, {
    asn,
    handle: formatAsn(asn),
    holder: 'Plover Broadband',
    registrants: ['ORG-PLOVER'],
    contacts: [],
    remarks,
  })
}
const claim = (userId: number, asn: number) =>
  inTransaction(db, (transaction) => claimAsn(transaction, SYSTEM, accountIdOf(userId), asn))

async function customer(asn = ++lastAsn) {
  const newUser = await addUser()
  await claim(newUser.id, asn)
  publish(asn, [])
  return { ...newUser, asn, mine: await signedIn(newUser.email) }
}
const menu = async (mine: Browser) => (await mine.call('GET', '/api/user/asn_proofs')).body
const begin = (mine: Browser) => mine.call('POST', '/api/user/asn_proofs/autnum_token', {})
const check = (mine: Browser) => mine.call('POST', '/api/user/asn_proofs/autnum_token/check', {})
const proofBy = (body: { proofs: { method: string }[] }, method: string): Record<string, unknown> =>
  body.proofs.find((proof) => proof.method === method)!
const worker = async () => {
  for (const reconciler of [tokenProofReconciler(deps), asnRecheckReconciler(deps)]) {
    for (const id of await reconciler.due()) await reconciler.reconcile(id, AbortSignal.timeout(5_000))
  }
}

describe('the menu of proofs', () => {
  test('names every way with its strength, strongest first', async () => {
    const { mine, asn } = await customer()
    const body = await menu(mine)
    expect(body).toMatchObject({ asn, asnVerifiedAt: null })
    expect(body.proofs.map((proof: { method: string; strength: string }) => [proof.method, proof.strength])).toEqual([
      ['autnum_token', 'high'],
      ['registry_contact', 'medium'],
      ['peeringdb', 'medium'],
      ['staff', 'low'],
    ])
    expect(proofBy(body, 'autnum_token')).toMatchObject({ state: 'none', unavailable: null, remark: null })
    expect(proofBy(body, 'staff')).toMatchObject({ unavailable: 'Staff begin with this one.' })
  })

  test('says that an ASN comes first', async () => {
    const { email } = await addUser()
    const mine = await signedIn(email)
    expect(proofBy(await menu(mine), 'autnum_token')).toMatchObject({ unavailable: 'Enter your ASN first.' })
    expect((await begin(mine)).status).toBe(409)
    expect((await check(mine)).status).toBe(409)
  })
})

describe('a remark in the object of the registry', () => {
  test('proves the ASN at high strength once it is there, whatever else is in its line', async () => {
    const { id, mine, asn, email } = await customer()
    const begun = await begin(mine)
    expect(begun.status).toBe(202)
    const { remark } = proofBy(begun.body, 'autnum_token') as { remark: string }
    expect(remark).toMatch(/^longhaul-verify=[a-z2-7]{24}$/)
    expect(proofBy((await check(mine)).body, 'autnum_token')).toMatchObject({
      state: 'open',
      checkedAt: clock.now().toISOString(),
      result: `The object of ${formatAsn(asn)} does not have the remark yet.`,
    })
    publish(asn, ['Peering: see our site', `  ${remark.toUpperCase()}; thanks`])
    expect(await check(mine)).toMatchObject({ status: 200, body: { asnVerifiedAt: clock.now().toISOString() } })
    expect(proofBy(await menu(mine), 'autnum_token')).toMatchObject({
      state: 'verified',
      validUntil: new Date(clock.now().getTime() + 365 * DAY).toISOString(),
      nextCheckAt: clock.now().toISOString(),
    })
    expect((await emailsTo(email)).filter((sentEmail) => sentEmail.subject.endsWith('is verified'))).toHaveLength(1)
    const auditEvents = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('account_id', '=', accountIdOf(id))
      .execute()
    expect(auditEvents.filter((row) => row.action === 'asn.verified')).toHaveLength(1)
  })

  test('is found by the worker too, and settled once when it and its owner look at once', async () => {
    const { mine, asn, email } = await customer()
    const { remark } = proofBy((await begin(mine)).body, 'autnum_token') as { remark: string }
    publish(asn, [remark])
    clock.advance(2 * MINUTE)
    await Promise.all([worker(), check(mine), worker(), check(mine)])
    expect((await menu(mine)).asnVerifiedAt).not.toBeNull()
    expect((await emailsTo(email)).filter((sentEmail) => sentEmail.subject.endsWith('is verified'))).toHaveLength(1)
  })

  test('is not looked for any more once it is given up, also where that was while the registry was asked', async () => {
    const { id, mine, asn } = await customer()
    await begin(mine)
    clock.advance(2 * MINUTE)
    const asking = {
      ...registry,
      autnum: async (number: number) => {
        if (number === asn) await claim(id, ++lastAsn)
        return registry.autnum(number)
      },
    }
    const reconciler = tokenProofReconciler({ ...deps, registry: asking })
    for (const due of await reconciler.due()) await reconciler.reconcile(due, AbortSignal.timeout(5_000))
    const attempts = await db
      .selectFrom('asn_verifications')
      .select(['asn', 'next_check_at'])
      .where('account_id', '=', accountIdOf(id))
      .execute()
    expect(attempts).toEqual([{ asn, next_check_at: null }])
  })

  test.each(['longhaul-verify=', 'xlonghaul-verify=TOKEN', 'longhaul-verify=TOKENx', 'longhaul-verify=TOKE'])(
    'does not count as %s',
    async (pattern) => {
      const { mine, asn } = await customer()
      const { remark } = proofBy((await begin(mine)).body, 'autnum_token') as { remark: string }
      const token = remark.split('=')[1]!
      publish(asn, [pattern.replace('TOKEN', token).replace('TOKE', token.slice(0, -1))])
      expect((await check(mine)).body.asnVerifiedAt).toBeNull()
    },
  )

  test('a remark of one account proves nothing for another, nor for another number', async () => {
    const [one, other] = [await customer(), await customer()]
    const own = proofBy((await begin(one.mine)).body, 'autnum_token') as { remark: string }
    await begin(other.mine)
    publish(other.asn, [own.remark])
    expect((await check(other.mine)).body.asnVerifiedAt).toBeNull()
  })

  test('renews the proof while it stays', async () => {
    const { mine, asn, email } = await customer()
    const { remark } = proofBy((await begin(mine)).body, 'autnum_token') as { remark: string }
    publish(asn, [remark])
    await check(mine)
    clock.advance(30 * DAY)
    await worker()
    const body = await menu(await signedIn(email))
    expect(proofBy(body, 'autnum_token')).toMatchObject({
      state: 'verified',
      checkedAt: clock.now().toISOString(),
      nextCheckAt: new Date(clock.now().getTime() + 7 * DAY).toISOString(),
      validUntil: new Date(clock.now().getTime() + 365 * DAY).toISOString(),
    })
    expect(body).toMatchObject({ risk: null, lapsedAt: null, silentSince: null })
  })

  test('is looked for for two weeks, and can be begun again then', async () => {
    const { mine, asn, email } = await customer()
    const { remark } = proofBy((await begin(mine)).body, 'autnum_token') as { remark: string }
    clock.advance(14 * DAY)
    publish(asn, [remark])
    await worker()
    const again = await signedIn(email)
    expect(proofBy(await menu(again), 'autnum_token')).toMatchObject({ state: 'expired', nextCheckAt: null })
    expect(proofBy((await begin(again)).body, 'autnum_token')).toMatchObject({ state: 'open', remark })
    expect((await check(again)).body.asnVerifiedAt).not.toBeNull()
  })

  test('is asked for again soon when the registry is away, and nothing is taken away', async () => {
    const { mine } = await customer()
    await begin(mine)
    registry.unreachable = true
    const { body } = await check(mine)
    registry.unreachable = false
    expect(proofBy(body, 'autnum_token')).toMatchObject({ state: 'open', result: 'The registry did not answer.' })
  })

  test('may be looked for a few times a minute', async () => {
    const { mine } = await customer()
    await begin(mine)
    const answers = await Promise.all(Array.from({ length: 8 }, () => check(mine)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
  })

  test('begun five times at once is one attempt', async () => {
    const { id, mine } = await customer()
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin(mine)))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    expect(
      await db.selectFrom('asn_verifications').selectAll().where('account_id', '=', accountIdOf(id)).execute(),
    ).toHaveLength(1)
  })

  test('settles between two accounts who is first, without saying who', async () => {
    const [one, other] = [await customer(), await customer(lastAsn)]
    const remarks = await Promise.all(
      [one, other].map(async ({ mine }) => proofBy((await begin(mine)).body, 'autnum_token')['remark'] as string),
    )
    publish(one.asn, remarks)
    const answers = await Promise.all([check(one.mine), check(other.mine)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const denial = answers.find(({ status }) => status === 409)!
    expect(denial.body.code).toBe('asn_taken')
    expect(JSON.stringify(denial.body)).not.toMatch(/person-/)
    clock.advance(3 * 60 * MINUTE)
    await worker()
    const loser = answers[0].status === 409 ? one : other
    expect(await begin(loser.mine)).toMatchObject({ status: 409, body: { code: 'asn_taken' } })
  })

  test('ends when the customer names another number, and with it the proof', async () => {
    const { id, mine, asn } = await customer()
    const { remark } = proofBy((await begin(mine)).body, 'autnum_token') as { remark: string }
    publish(asn, [remark])
    await check(mine)
    await claim(id, ++lastAsn)
    await claim(id, asn)
    expect(await menu(mine)).toMatchObject({ asnVerifiedAt: null })
    expect(proofBy(await menu(mine), 'autnum_token')).toMatchObject({ state: 'none' })
  })

  test('cannot be settled by the link of a mail', async () => {
    const { id, mine } = await customer()
    await begin(mine)
    const row = await db
      .selectFrom('asn_verifications')
      .selectAll()
      .where('account_id', '=', accountIdOf(id))
      .executeTakeFirstOrThrow()
    const token = asnToken(deps.secretKey, { id: row.id, accountId: accountIdOf(id), asn: row.asn }, 'contact')
    expect((await mine.call('POST', '/api/verify/asn', { token })).status).toBe(422)
  })
})

describe('signing in with PeeringDB', () => {
  const network = (asn: number, perms = 15) => ({ name: 'Plover', asn, perms })
  const member = (...networks: ReturnType<typeof network>[]): PeeringDbProfile => ({
    id: 4711,
    verifiedUser: true,
    verifiedEmail: true,
    networks,
  })
  const start = async (mine: Browser) => {
    const { body } = await mine.call('POST', '/api/user/asn_proofs/peeringdb', {})
    return new URL(body.url).searchParams.get('state')!
  }
  const finish = (mine: Browser, state: string) =>
    mine.call('PUT', '/api/user/asn_proofs/peeringdb', { code: 'a code', state })

  test('proves the ASN of a network that the person may edit', async () => {
    const { mine, asn } = await customer()
    profile = member(network(asn))
    const answer = await finish(mine, await start(mine))
    expect(answer).toMatchObject({ status: 200, body: { asnVerifiedAt: clock.now().toISOString() } })
    expect(proofBy(answer.body, 'peeringdb')).toMatchObject({ state: 'verified', strength: 'medium' })
  })

  test.each<[string, (asn: number) => PeeringDbProfile, RegExp]>([
    ['who is not verified there', (asn) => ({ ...member(network(asn)), verifiedUser: false }), /not verified you/],
    ['whose address is not', (asn) => ({ ...member(network(asn)), verifiedEmail: false }), /not confirmed/],
    ['of another network', (asn) => member(network(asn + 1)), /does not belong/],
    ['who may only look', (asn) => member(network(asn, 1)), /may look/],
    ['who may delete but not edit', (asn) => member(network(asn, 9)), /may look/],
  ])('proves nothing for someone %s, and says why', async (_, made, why) => {
    const { mine, asn } = await customer()
    profile = made(asn)
    expect(whyNot(profile, asn)).toMatch(why)
    const answer = await finish(mine, await start(mine))
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringMatching(why) } })
    expect((await menu(mine)).asnVerifiedAt).toBeNull()
  })

  test('is finished in the browser that began it, within a quarter of an hour', async () => {
    const [one, other] = [await customer(), await customer()]
    profile = member(network(one.asn), network(other.asn))
    const state = await start(one.mine)
    for (const [who, what] of [
      [other.mine, state],
      [await signedIn(one.email), state],
      [one.mine, `${state.slice(0, -2)}AA`],
      [one.mine, 'x'],
    ] as const) {
      expect(await finish(who, what)).toMatchObject({ status: 422, body: { errors: [{ field: 'state' }] } })
    }
    clock.advance(15 * MINUTE)
    expect((await finish(one.mine, state)).status).toBe(422)
  })

  test('a sign-in with PeeringDB that is refused or away leaves everything as it was', async () => {
    const { mine } = await customer()
    const state = await start(mine)
    profile = null
    expect(await finish(mine, state)).toMatchObject({ status: 422, body: { errors: [{ field: 'code' }] } })
    profile = 'unreachable'
    const unreachable = await finish(mine, state)
    expect(unreachable.status).toBe(503)
    expect(unreachable.headers['retry-after']).toBeDefined()
    expect((await menu(mine)).asnVerifiedAt).toBeNull()
  })

  test('does not take a number that another account has proved', async () => {
    const { id, asn } = await customer()
    const late = await customer(asn)
    profile = member(network(asn))
    const state = await start(late.mine)
    await vouchForAsn(deps, db, SYSTEM, accountIdOf(id))
    expect(await finish(late.mine, state)).toMatchObject({ status: 409, body: { code: 'asn_taken' } })
  })
})

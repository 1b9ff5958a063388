import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import { formatAsn } from '../../kernel/asn.ts'
import { RegistryError } from '../../drivers/registry/index.ts'
import type { StaffRole } from '../../kernel/required-role.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { claimAsn, readAsnOwnership } from './asn-ownership.ts'
import { asnToken, readerOfToken } from './verification-link.ts'
import { vouchForAsn } from './verification.ts'
import { createAccountsTestApp } from '../testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, browser, clock, db, deps, emailsTo, registry, signedIn, tokenTo } = testApp
const { email: staffEmail, id: staffId } = await addUser({ isAdmin: true })
const staff = await signedIn(staffEmail)
const DAY = 86_400_000

let lastAsn = 500_100
/** Returns an ASN that the registry knows, with two contacts. */
function allocated(): number {
  const asn = ++lastAsn
  const at = (who: string, role: string) => ({ email: `${who}@as${asn}.example`, roles: [role], source: `${who}-X` })
  registry.records.set(asn, {
    asn,
    handle: formatAsn(asn),
    holder: 'Plover Broadband',
    contacts: [at('noc', 'technical'), at('abuse', 'abuse')],
    registrants: [],
    remarks: [],
  })
  return asn
}

const userActor = (userId: UserId): Actor => ({ kind: 'user', userId, ip: '192.0.2.1', requestId: null })
const claim = (userId: UserId, asn: number) =>
  inTransaction(db, (transaction) => claimAsn(transaction, userActor(userId), accountIdOf(userId), asn))

async function customer() {
  const newUser = await addUser()
  const asn = allocated()
  await claim(newUser.id, asn)
  return { ...newUser, asn, noc: `noc@as${asn}.example` }
}

const send = (userId: number, email: string) =>
  staff.call('POST', `/api/admin/users/${userId}/asn_verifications`, { email })
const draftUrl = (userId: number) => `/api/admin/users/${userId}/asn_verifications/new`
const draft = (userId: number) => staff.call('GET', draftUrl(userId))

async function staffWith(role: StaffRole) {
  const newUser = await addUser({ isAdmin: true })
  await db
    .updateTable('users')
    .set({ staff_roles: [role] })
    .where('id', '=', newUser.id)
    .execute()
  return newUser
}
const tokenIn = (link: string | null) => new URL(link!).searchParams.get('token')!
const verifiedEvent = (userId: number) =>
  db
    .selectFrom('audit_events')
    .selectAll()
    .where('account_id', '=', accountIdOf(userId))
    .where('action', '=', 'asn.verified')
    .executeTakeFirstOrThrow()
const follow = (token: string) => browser().call('POST', '/api/verify/asn', { token })

describe('claiming an ASN', () => {
  test.each([0, 23456, 64496, 64512, 65535, 65551, 131071, 4_200_000_000, 4_294_967_295])(
    'refuses AS%i, which no one can hold, with the reason',
    async (asn) => {
      const { id } = await addUser()
      await expect(claim(id, asn)).rejects.toMatchObject({ status: 422, errors: [{ field: 'asn' }] })
    },
  )

  test('takes the largest number that can be held', async () => {
    const { id } = await addUser()
    await claim(id, 4_199_999_999)
    expect(await readAsnOwnership(db, accountIdOf(id), clock.now())).toMatchObject({
      asn: 4_199_999_999,
      verifiedAt: null,
    })
  })

  test('refuses one that another account has proved, without saying whose', async () => {
    const owner = await customer()
    await vouchForAsn(deps, db, userActor(staffId), accountIdOf(owner.id))
    const { id } = await addUser()
    const denial = await claim(id, owner.asn).catch((error: unknown) => error)
    expect(denial).toMatchObject({ status: 409 })
    expect(String(denial)).not.toContain(owner.email)
  })

  test('a claim of the same number changes nothing, and one of another number removes the proof', async () => {
    const { id, asn, email } = await customer()
    await vouchForAsn(deps, db, userActor(staffId), accountIdOf(id))
    const mine = await signedIn(email)
    expect((await mine.call('GET', '/api/user')).body.asnVerifiedAt).not.toBeNull()
    expect(await claim(id, asn)).toEqual({ changed: false })
    expect(await readAsnOwnership(db, accountIdOf(id), clock.now())).toMatchObject({ verifiedAt: clock.now() })

    expect(await claim(id, allocated())).toEqual({ changed: true })
    expect((await mine.call('GET', '/api/user')).body.asnVerifiedAt).toBeNull()
    expect(await readAsnOwnership(db, accountIdOf(id), clock.now())).toMatchObject({ verification: null })
  })

  test('a claim by two accounts is settled by who proves it first', async () => {
    const first = await customer()
    const second = await addUser()
    await claim(second.id, first.asn)
    await send(first.id, first.noc)
    const firstToken = await tokenTo(first.noc)
    await send(second.id, first.noc)
    const secondToken = await tokenTo(first.noc)
    const answers = await Promise.all([follow(firstToken), follow(secondToken)])
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const proved = await db.selectFrom('asn_ownerships').selectAll().where('asn', '=', first.asn).execute()
    expect(proved.filter((row) => row.verified_at !== null)).toHaveLength(1)
  })
})

describe('proving an ASN', () => {
  test('goes through a contact that the registry lists, and is written down', async () => {
    const { id, asn, email, noc } = await customer()
    expect((await draft(id)).body).toMatchObject({
      user: { id, email },
      asn,
      asnVerifiedAt: null,
      holder: 'Plover Broadband',
      contacts: [{ email: noc, roles: ['technical'] }],
      abuseContacts: [{ email: `abuse@as${asn}.example`, roles: ['abuse'] }],
      link: null,
    })
    const sent = await send(id, noc.toUpperCase())
    expect(sent).toMatchObject({ status: 201, body: { asn, email: noc } })
    const [sentEmail] = await emailsTo(noc)
    expect(sentEmail?.subject).toContain(formatAsn(asn))
    expect(sentEmail?.text).toContain(email)
    expect(sentEmail?.text).not.toContain(sent.body.link)
    expect((await draft(id)).body.link).toBe(sent.body.link)

    const mine = await signedIn(email)
    const { proofs } = (await mine.call('GET', '/api/user/asn_proofs')).body
    expect(proofs).toContainEqual(
      expect.objectContaining({
        method: 'registry_contact',
        state: 'open',
        sentTo: noc,
        startedAt: clock.now().toISOString(),
      }),
    )
    expect(await follow(await tokenTo(noc))).toEqual(
      expect.objectContaining({ status: 200, body: { asn, asnVerifiedAt: clock.now().toISOString() } }),
    )
    expect((await mine.call('GET', '/api/user')).body).toMatchObject({ asn, asnVerifiedAt: clock.now().toISOString() })
    expect((await readAsnOwnership(db, accountIdOf(id), clock.now()))?.verification).toMatchObject({
      method: 'registry_contact',
      strength: 'medium',
      state: 'verified',
      validUntil: new Date(clock.now().getTime() + 365 * DAY),
    })
    expect((await emailsTo(email)).at(-1)?.subject).toBe(`${formatAsn(asn)} is verified`)
    expect((await draft(id)).body.link).toBeNull()
  })

  test('works for one of twenty that follow the link at once', async () => {
    const { id, noc } = await customer()
    await send(id, noc)
    const token = await tokenTo(noc)
    const answers = await Promise.all(Array.from({ length: 20 }, () => follow(token)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19)
  })

  test('is refused to staff who open the link of a contact or their own', async () => {
    const { id, noc, asn } = await customer()
    const { body } = await send(id, noc)
    for (const token of [await tokenTo(noc), tokenIn(body.link)]) {
      expect(await staff.call('POST', '/api/verify/asn', { token })).toMatchObject({
        status: 403,
        body: { code: 'staff_cannot_confirm' },
      })
    }
    expect(await readAsnOwnership(db, accountIdOf(id), clock.now())).toMatchObject({ asn, verifiedAt: null })
  })

  test.each(['sent', 'drafted'] as const)(
    'counts a link that staff were given as the word of staff, named in the audit log: %s',
    async (from) => {
      const { id, noc } = await customer()
      const { body } = await send(id, noc)
      const link = from === 'sent' ? body.link : (await draft(id)).body.link
      expect((await follow(tokenIn(link))).status).toBe(200)
      expect((await readAsnOwnership(db, accountIdOf(id), clock.now()))?.verification).toMatchObject({
        method: 'staff',
        strength: 'low',
        validUntil: new Date(clock.now().getTime() + 180 * DAY),
      })
      expect(await verifiedEvent(id)).toMatchObject({ data: { by: 'staff_link', staff: staffId } })
      expect((await follow(await tokenTo(noc))).status).toBe(422)
    },
  )

  test('names the member of staff who took the link, not the one who sent the email', async () => {
    const { id, noc } = await customer()
    await send(id, noc)
    const other = await staffWith('support')
    const { link } = (await (await signedIn(other.email)).call('GET', draftUrl(id))).body
    expect((await follow(tokenIn(link))).status).toBe(200)
    expect(await verifiedEvent(id)).toMatchObject({ data: { by: 'staff_link', staff: other.id } })
  })

  test('gives the link only to staff who may send it', async () => {
    const { id, noc } = await customer()
    await send(id, noc)
    const support = await signedIn((await staffWith('support')).email)
    const linkWith = async (scope: string) => {
      const { token } = (await support.call('POST', '/api/user/api_tokens', { name: scope, scopes: [scope] })).body
      const bearer = { authorization: `Bearer ${token}` }
      return (await browser().call('GET', draftUrl(id), undefined, bearer)).body.link
    }
    expect(await linkWith('staff:write')).toContain('/verify/asn?token=')
    expect(await linkWith('staff:read')).toBeNull()
    for (const role of ['billing', 'network'] as const) {
      const { status, body } = await (await signedIn((await staffWith(role)).email)).call('GET', draftUrl(id))
      expect({ status, link: body.link }).toEqual({ status: 200, link: null })
    }
  })

  test('ends the link of staff with their role', async () => {
    const { id, noc } = await customer()
    await send(id, noc)
    const former = await staffWith('support')
    const { link } = (await (await signedIn(former.email)).call('GET', draftUrl(id))).body
    await db
      .updateTable('users')
      .set({ staff_roles: ['billing'] })
      .where('id', '=', former.id)
      .execute()
    expect((await follow(tokenIn(link))).status).toBe(422)
  })

  test('is not for staff who ask for their own account', async () => {
    const self = await staffWith('support')
    const asn = allocated()
    await claim(self.id, asn)
    const own = await signedIn(self.email)
    const noc = `noc@as${asn}.example`
    const refused = { status: 403, body: { code: 'own_request' } }
    expect(await own.call('POST', `/api/admin/users/${self.id}/asn_verifications`, { email: noc })).toMatchObject(
      refused,
    )
    await send(self.id, noc)
    expect((await own.call('GET', draftUrl(self.id))).body.link).toBeNull()
    expect(await own.call('POST', `/api/admin/users/${self.id}/emails`, { email: 'asn_verification' })).toMatchObject(
      refused,
    )
  })

  test('a proof by the customer while signed in is weaker, and the audit log names the customer', async () => {
    const { id, email, noc } = await customer()
    await send(id, noc)
    const mine = await signedIn(email)
    expect((await mine.call('POST', '/api/verify/asn', { token: await tokenTo(noc) })).status).toBe(200)
    expect((await readAsnOwnership(db, accountIdOf(id), clock.now()))?.verification).toMatchObject({ strength: 'low' })
    const { proofs } = (await mine.call('GET', '/api/user/asn_proofs')).body
    expect(proofs).toContainEqual(
      expect.objectContaining({ method: 'registry_contact', state: 'verified', strength: 'low' }),
    )
    expect(await verifiedEvent(id)).toMatchObject({ actor_id: id, data: { by: noc, followedBy: 'customer' } })
  })

  test('never goes to an address that the registry does not list', async () => {
    const { id, email } = await customer()
    expect(await send(id, email)).toMatchObject({ status: 422, body: { errors: [{ field: 'email' }] } })
    expect(await emailsTo(email)).toEqual([])
  })

  test('never goes to an abuse desk, and staff read why', async () => {
    const { id, asn } = await customer()
    const abuse = `abuse@as${asn}.example`
    expect(await send(id, abuse)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'email', message: expect.stringContaining('abuse contact only') }] },
    })
    expect(await emailsTo(abuse)).toEqual([])
  })

  test('never goes to a contact whose domain lapsed and was registered again, also when sent again', async () => {
    const { id, asn, noc } = await customer()
    registry.changes.set(asn, new Date('2012-05-06T07:08:09Z'))
    registry.domains.set(`as${asn}.example`, new Date('2011-01-02T00:00:00Z'))
    expect((await send(id, noc)).status).toBe(201)
    registry.domains.set(`as${asn}.example`, new Date('2024-01-02T00:00:00Z'))
    const again = () => staff.call('POST', `/api/admin/users/${id}/emails`, { email: 'asn_verification' })
    for (const refused of [await send(id, noc.toUpperCase()), await again()]) {
      expect(refused).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'email', message: expect.stringContaining('2024-01-02') }] },
      })
    }
    expect(await emailsTo(noc)).toHaveLength(1)
  })

  test.each([
    ['when nobody publishes the date of its domain', '2012-05-06T07:08:09Z', null],
    ['when the registry does not say when it changed the number', null, new Date('2024-01-02T00:00:00Z')],
    ['while the registry of its domain is away', '2012-05-06T07:08:09Z', new RegistryError('unreachable', 'away')],
  ])('goes to a contact %s', async (_, changed, domain) => {
    const { id, asn, noc } = await customer()
    if (changed) registry.changes.set(asn, new Date(changed))
    if (domain) registry.domains.set(`as${asn}.example`, domain)
    expect((await send(id, noc)).status).toBe(201)
  })

  test('shows staff how old the domain of each contact is', async () => {
    const { id, asn } = await customer()
    registry.changes.set(asn, new Date('2012-05-06T07:08:09Z'))
    registry.domains.set(`as${asn}.example`, new Date('2011-01-02T00:00:00Z'))
    const { body } = await draft(id)
    expect(body.changedAt).toBe('2012-05-06T07:08:09.000Z')
    expect(body.contacts).toMatchObject([{ domainRegisteredAt: '2011-01-02T00:00:00.000Z' }])
  })

  test('ends with the newest link alone', async () => {
    const { id, noc } = await customer()
    await send(id, noc)
    const older = await tokenTo(noc)
    await send(id, noc)
    expect((await follow(older)).status).toBe(422)
    expect((await follow(await tokenTo(noc))).status).toBe(200)
  })

  test('ends when the customer names another number', async () => {
    const { id, noc } = await customer()
    await send(id, noc)
    await claim(id, allocated())
    expect((await follow(await tokenTo(noc))).status).toBe(422)
    expect((await draft(id)).body.link).toBeNull()
  })

  test('ends after a week', async () => {
    const { id, noc } = await customer()
    await send(id, noc)
    clock.advance(7 * DAY)
    expect((await follow(await tokenTo(noc))).status).toBe(422)
    expect((await readAsnOwnership(db, accountIdOf(id), clock.now()))?.verification).toMatchObject({ state: 'expired' })
    clock.set('2026-03-02T09:00:00Z')
  })

  test('cannot be forged from what is in the database', async () => {
    const { id, asn } = await customer()
    const { body } = await send(id, `noc@as${asn}.example`)
    const link = { id: body.id as number, accountId: accountIdOf(id), asn }
    const genuine = asnToken(deps.secretKey, link, 'contact')
    expect(genuine).toMatch(/^[\w-]+$/)
    const readers = ['contact' as const, id, staffId]
    expect(readerOfToken(deps.secretKey, link, genuine.replace('-', '.'), readers)).toBe('contact')
    expect(readerOfToken(deps.secretKey, link, genuine, readers)).toBe('contact')
    expect(readerOfToken(deps.secretKey, link, asnToken(deps.secretKey, link, staffId), readers)).toBe(staffId)
    for (const forged of [
      asnToken('another key of another installation', link, 'contact'),
      asnToken(deps.secretKey, { ...link, asn: asn + 1 }, 'contact'),
      `${link.id}-${'A'.repeat(43)}`,
      `${link.id}.${'A'.repeat(43)}`,
      `${link.id + 1}${genuine.slice(genuine.indexOf('-'))}`,
      `${genuine}A`,
      '99999999999-x',
      '',
    ]) {
      expect((await follow(forged)).status).toBe(422)
    }
    const rows = await db.selectFrom('asn_verifications').selectAll().where('id', '=', link.id).execute()
    expect(JSON.stringify(rows)).not.toContain(genuine.slice(genuine.indexOf('-') + 1))
    expect((await follow(genuine)).status).toBe(200)
  })

  test('needs a claim, and no proof yet', async () => {
    const { id } = await addUser()
    expect((await draft(id)).body).toMatchObject({ asn: null, holder: null, contacts: [] })
    expect((await send(id, 'noc@example.net')).status).toBe(409)
    const proved = await customer()
    await vouchForAsn(deps, db, userActor(staffId), accountIdOf(proved.id))
    expect((await send(proved.id, proved.noc)).status).toBe(409)
  })
})

describe('the registry', () => {
  test('a registry that is away is a 503, never an empty list', async () => {
    const { id, noc } = await customer()
    registry.unreachable = true
    const answers = [await draft(id), await send(id, noc)]
    registry.unreachable = false
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBeDefined()
    }
    expect((await send(id, noc)).status).toBe(201)
  })

  test('a registry that does not say who the contacts are is a 503 that says when to ask again, and is asked again then', async () => {
    const { id, asn } = await customer()
    const record = registry.records.get(asn)!
    const contactsUnknown = new RegistryError('unreachable', 'slow down', { retryAfter: 90 })
    registry.records.set(asn, { ...record, contacts: [], contactsUnknown })
    const answer = await draft(id)
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringContaining('90 seconds') } })
    expect(answer.headers['retry-after']).toBe('90')
    registry.records.set(asn, record)
    expect((await draft(id)).body.contacts).toHaveLength(1)
  })

  test('is asked once in ten minutes for one number', async () => {
    const { id } = await customer()
    const before = registry.asked
    await Promise.all([draft(id), draft(id), draft(id)])
    expect(registry.asked).toBe(before + 1)
    clock.advance(10 * 60_000)
    await draft(id)
    expect(registry.asked).toBe(before + 2)
  })
})

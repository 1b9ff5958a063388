import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { NetworkRecord } from '../../drivers/registry/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { manualClock } from '../../kernel/clock.ts'
import { readMailBody } from '../../platform/mail.ts'
import { registrationReconciler } from '../evidence/registration-job.ts'
import { checkReconciler } from '../prefixes/checks/check-job.ts'
import { heronNetwork, setOf } from '../testing-sources.ts'
import { createTransitTestApp } from '../testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, registry, rpki, irr, deps } = testApp
afterAll(() => testApp.close())
const staff = await testApp.addUser({ isAdmin: true })
const DAY_MS = 86_400_000
const MEMBER = 1_700_900
beforeEach(() => {
  registry.unreachable = false
  rpki.aspas = new Map()
  registry.autnums.set(MEMBER, ['ORG-MEMBER'])
  registry.autnumContacts.set(MEMBER, [
    { email: 'noc@member.example', roles: ['technical'], source: 'NOC-M' },
    { email: 'abuse@member.example', roles: ['abuse'], source: 'AB-M' },
  ])
})

const network = (more: Partial<NetworkRecord> = {}) => heronNetwork({ handle: 'NET-45-50', ...more })
let third = 0
let asn = 1_700_000
async function request() {
  const value = `45.50.${++third}.0/24`
  registry.networks.set(value, network())
  const userId = await testApp.addUser({ asn: ++asn })
  return { id: await testApp.request(userId, value), userId, asn, value }
}
/** A downstream in the customer's own set, whose member has agreed nowhere. */
async function downstream() {
  const value = `45.50.${++third}.0/24`
  const userId = await testApp.addUser({ asn: ++asn })
  const name = `AS${asn}:AS-CUSTOMERS`
  irr.asSets.set(name, setOf(name, [MEMBER]))
  rpki.vrps.push({ prefix: value, maxLength: 24, asn: MEMBER })
  await call(userId, 'PUT', '/api/transit_connection', { asSet: name })
  const body = { value, announcementType: 'DOWNSTREAM', originAsn: MEMBER }
  const { body: made } = await call(userId, 'POST', '/api/transit_prefixes', body)
  const one = { id: made.id as number, userId, asn, value, body }
  await check(one.id)
  return one
}
const check = (id: number) => checkReconciler(deps).reconcile(id, AbortSignal.timeout(5_000))
const send = (id: number, body: object, as = staff) =>
  call(as, 'POST', `/api/admin/transit_prefixes/${id}/contact_links`, body)
const view = async (id: number) => (await call(staff, 'GET', `/api/admin/transit_prefixes/${id}`)).body
const follow = (token: string, as: number | null = null) => call(as, 'POST', '/api/verify/prefix', { token })
const withdraw = (token: string, as: number | null = null) => call(as, 'POST', '/api/verify/prefix/withdraw', { token })
/** The token from the email that a contact gets after confirming, found by subject, as staff and customers get emails too. */
const withdrawalToken = async (to: string) => {
  const row = await db
    .selectFrom('outgoing_mail')
    .selectAll()
    .where('to_address', '=', to)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return /withdraw=([\w-]+)/.exec(readMailBody(deps.secretKey, row)!.text)![1]!
}
const lastMail = async () => {
  const row = await db.selectFrom('outgoing_mail').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  const { text } = readMailBody(deps.secretKey, row)!
  return {
    to: row.to_address,
    subject: row.subject,
    text,
    token: decodeURIComponent(/token=([\w%-]+)/.exec(text)![1]!),
  }
}
const space = { purpose: 'SPACE', email: 'noc@heron.example' }
const agreement = { purpose: 'DOWNSTREAM', email: 'noc@member.example' }

describe('a link to a contact of the block', () => {
  test('is medium evidence once it is followed, and stays out of the customer’s sight', async () => {
    const one = await request()
    registry.domains.set('heron.example', new Date('2011-01-02T00:00:00Z'))
    const draft = await call(staff, 'GET', `/api/admin/transit_prefixes/${one.id}/contact_links/new`)
    expect(draft.body).toMatchObject({
      subject: 'NET-45-50',
      changedAt: null,
      contacts: [{ email: 'noc@heron.example', domainRegisteredAt: '2011-01-02T00:00:00.000Z' }],
      abuseContacts: [{ email: 'abuse@heron.example' }],
    })
    const sent = await send(one.id, { ...space, email: 'NOC@heron.example' })
    expect(sent).toMatchObject({
      status: 201,
      body: { evidence: [], contactLinks: [{ state: 'OPEN', purpose: 'SPACE' }] },
    })
    const mail = await lastMail()
    expect(mail).toMatchObject({ to: 'noc@heron.example' })
    expect(mail.text).toContain(one.value)
    expect(JSON.stringify(sent.body)).not.toContain(mail.token)
    expect(await follow(mail.token)).toMatchObject({ status: 200, body: { prefix: one.value, purpose: 'SPACE' } })
    const after = await view(one.id)
    expect(after).toMatchObject({
      evidence: [{ kind: 'rdap_contact', source: 'registry.test', strength: 'medium' }],
      contactLinks: [{ state: 'CONFIRMED', byCustomer: false }],
      proven: false,
    })
    const days = (Date.parse(after.evidence[0].expiresAt) - Date.now()) / DAY_MS
    expect(Math.round(days)).toBe(365)
    const own = await call(one.userId, 'GET', `/api/transit_prefixes/${one.id}`)
    expect(JSON.stringify(own.body)).not.toContain('heron.example')
    const auditLog = await db
      .selectFrom('audit_events')
      .select('data')
      .where('account_id', '=', accountIdOf(one.userId))
      .execute()
    expect(JSON.stringify(auditLog)).not.toContain('heron.example')
  })

  test('works once, for no one of the staff, and is weak when the customer follows it', async () => {
    const one = await request()
    await send(one.id, space)
    const { token } = await lastMail()
    expect(await follow(token, staff)).toMatchObject({ status: 403, body: { code: 'staff_cannot_confirm' } })
    expect(await follow(token, one.userId)).toMatchObject({ status: 200 })
    expect(await view(one.id)).toMatchObject({ evidence: [{ strength: 'weak' }], contactLinks: [{ byCustomer: true }] })
    expect((await follow(token)).status).toBe(422)
  })

  test.each([
    ['an abuse contact', 'abuse@heron.example'],
    ['an address that the registry does not list', 'noc@elsewhere.example'],
    ['a contact of the downstream', 'noc@member.example'],
  ])('is not sent to %s', async (_, email) => {
    const one = await request()
    expect(await send(one.id, { ...space, email })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'email' }] },
    })
    expect((await view(one.id)).contactLinks).toEqual([])
  })

  test('is not sent for a block of the registry itself, nor while the registry is silent', async () => {
    const one = await request()
    registry.networks.set(one.value, network({ isPlaceholder: true }))
    expect((await send(one.id, space)).status).toBe(422)
    registry.unreachable = true
    expect((await send(one.id, space)).status).toBe(503)
  })

  test('is sent by staff for the network alone', async () => {
    const one = await request()
    const support = await testApp.addUser({ roles: ['support'] })
    expect(await send(one.id, space, support)).toMatchObject({ status: 403 })
    expect(await send(one.id, space, one.userId)).toMatchObject({ status: 403 })
  })

  test('stops working when another one is sent, or time has passed', async () => {
    const one = await request()
    await send(one.id, space)
    const first = await lastMail()
    await send(one.id, space)
    const second = await lastMail()
    expect((await follow(first.token)).status).toBe(422)
    await db
      .updateTable('prefix_contact_links')
      .set({ expires_at: new Date() })
      .where('prefix_id', '=', one.id)
      .execute()
    expect((await follow(second.token)).status).toBe(422)
    expect((await view(one.id)).evidence).toEqual([])
  })

  test('says nothing of addresses that changed hands, and what it proved ends with them', async () => {
    const one = await request()
    const look = () => registrationReconciler(deps).reconcile(one.id, AbortSignal.timeout(5_000))
    await look()
    await send(one.id, space)
    const early = await lastMail()
    await send(one.id, space)
    const { token } = await lastMail()
    expect((await follow(token)).status).toBe(200)
    registry.networks.set(one.value, network({ registrants: ['ORG-NEW'] }))
    await look()
    expect((await view(one.id)).evidence).toEqual([])
    await db
      .updateTable('prefix_contact_links')
      .set({ voided_at: null })
      .where('prefix_id', '=', one.id)
      .where('confirmed_at', 'is', null)
      .execute()
    expect((await follow(early.token)).status).toBe(422)
  })

  test('says nothing of another ASN than it was sent for', async () => {
    const one = await request()
    await send(one.id, space)
    const { token } = await lastMail()
    await db
      .updateTable('asn_ownerships')
      .set({ asn: 1_799_999 })
      .where('account_id', '=', accountIdOf(one.userId))
      .execute()
    expect((await follow(token)).status).toBe(422)
  })

  test('says nothing of a request that is withdrawn', async () => {
    const one = await request()
    await send(one.id, space)
    const { token } = await lastMail()
    await call(one.userId, 'DELETE', `/api/transit_prefixes/${one.id}`)
    expect((await follow(token)).status).toBe(422)
  })
})

describe('a link to a contact of the downstream', () => {
  test('is its agreement once it is followed, in words, for the dry run too', async () => {
    const one = await downstream()
    expect(await view(one.id)).toMatchObject({ status: 'NEEDS_ACTION', downstream: { consent: { status: 'NONE' } } })
    expect((await send(one.id, agreement)).status).toBe(201)
    const { token, to } = await lastMail()
    expect(to).toBe('noc@member.example')
    expect(await follow(token, one.userId)).toMatchObject({ status: 403, body: { code: 'customer_cannot_confirm' } })
    expect(await follow(token)).toMatchObject({ status: 200, body: { originAsn: MEMBER } })
    await check(one.id)
    const { downstream: found, status } = await view(one.id)
    expect(status).toBe('PENDING')
    expect(found.consent).toMatchObject({ status: 'AGREED', how: 'MAIL' })
    expect(found.consent.detail).toMatch(/^A registry contact of AS1700900 agreed by mail, until \d{4}-\d\d-\d\d$/)
    const dryRun = await call(one.userId, 'POST', '/api/transit_prefixes/check', {
      values: ['45.51.1.0/24'],
      announcementType: 'DOWNSTREAM',
      originAsn: MEMBER,
    })
    expect(dryRun.body[0].downstream.consent).toMatchObject({ how: 'MAIL' })
  })

  test('is no agreement to another customer', async () => {
    const one = await downstream()
    await send(one.id, agreement)
    await follow((await lastMail()).token)
    const other = await downstream()
    expect((await view(other.id)).downstream.consent).toMatchObject({ status: 'NONE' })
  })

  test('does not outweigh an ASPA that names others', async () => {
    const one = await downstream()
    await send(one.id, agreement)
    await follow((await lastMail()).token)
    rpki.aspas = new Map([[MEMBER, [500_001]]])
    await check(one.id)
    expect((await view(one.id)).downstream.consent).toMatchObject({ status: 'REFUSED' })
  })

  test('ends after a year, with a warning and the day of the suspension', async () => {
    const one = await downstream()
    await send(one.id, agreement)
    await follow((await lastMail()).token)
    await check(one.id)
    expect((await call(staff, 'POST', `/api/admin/transit_prefixes/${one.id}/approve`, {})).body.status).toBe(
      'APPROVED',
    )
    await db
      .updateTable('prefix_contact_links')
      .set({ valid_until: new Date() })
      .where('prefix_id', '=', one.id)
      .execute()
    await check(one.id)
    const after = await view(one.id)
    expect(after).toMatchObject({
      status: 'APPROVED',
      downstream: { consent: { status: 'NONE' } },
      contactLinks: [{ state: 'EXPIRED' }],
    })
    expect(after.suspendAt).not.toBeNull()
  })

  test('ends when the downstream ASN has another holder', async () => {
    const one = await downstream()
    await send(one.id, agreement)
    await follow((await lastMail()).token)
    registry.autnums.set(MEMBER, ['ORG-NEW'])
    await registrationReconciler(deps).reconcile(one.id, AbortSignal.timeout(5_000))
    await check(one.id)
    expect(await view(one.id)).toMatchObject({
      downstream: { consent: { status: 'NONE' } },
      contactLinks: [{ state: 'ENDED' }],
    })
  })

  test('is not sent for a prefix that has none', async () => {
    const one = await request()
    expect(await send(one.id, agreement)).toMatchObject({ status: 409 })
  })
})

test.each([
  ['nothing', ''],
  ['a number', '1'],
  ['a number with another tail', `1-${'A'.repeat(43)}`],
  ['an id beyond all', `9999999999-${'A'.repeat(43)}`],
  ['a longer text', `1-${'A'.repeat(150)}`],
])('%s is no link', async (_, token) => {
  expect((await follow(token)).status).toBe(422)
})

test('a link of one request opens no other', async () => {
  const [one, other] = [await request(), await request()]
  await send(one.id, space)
  const { token } = await lastMail()
  await send(other.id, space)
  const { token: second } = await lastMail()
  const [id] = second.split('-')
  expect((await follow(`${id}${token.slice(token.indexOf('-'))}`)).status).toBe(422)
})

describe('what a contact confirmed', () => {
  const agreed = async () => {
    const one = await downstream()
    await send(one.id, agreement)
    const { token } = await lastMail()
    expect((await follow(token)).status).toBe(200)
    await check(one.id)
    return { ...one, token, withdrawal: await withdrawalToken('noc@member.example') }
  }
  const statusOf = async (id: number) => {
    const { status, suspend_at } = await testApp.prefix(id)
    return { status, ends: suspend_at !== null }
  }

  /** A prefix approved on a contact's confirmation that was then withdrawn, and a clock for the checks after that. */
  const denied = async () => {
    const one = await request()
    await send(one.id, space)
    await follow((await lastMail()).token)
    await check(one.id)
    const path = `/api/admin/transit_prefixes/${one.id}/approve`
    const approve = (body: object) => call(staff, 'POST', path, body)
    expect((await approve({})).body.status).toBe('APPROVED')
    expect(await withdraw(await withdrawalToken('noc@heron.example'))).toMatchObject({ status: 200 })
    const clock = manualClock(new Date().toISOString())
    const later = async (days: number) => {
      clock.advance(days * 86_400_000)
      await checkReconciler({ ...deps, clock }).reconcile(one.id, AbortSignal.timeout(10_000))
      return statusOf(one.id)
    }
    return { ...one, approve, later }
  }
  const mailed = async (userId: number) => (await testApp.emails(userId)).map(({ subject }) => subject)

  test('a block that lost its confirmation loses its approval: the customer is warned, and the prefix is suspended after the grace', async () => {
    const { id, userId, value, later } = await denied()
    expect(await later(0)).toEqual({ status: 'APPROVED', ends: true })
    expect(await mailed(userId)).toContain(`${value} will be suspended`)
    expect((await view(id)).attention).toMatch(/^A registry contact withdrew the confirmation.* It is suspended on /)
    expect(await later(6.9)).toEqual({ status: 'APPROVED', ends: true })
    expect((await later(0.2)).status).toBe('SUSPENDED')
    expect(await mailed(userId)).toContain(`${value} was suspended`)
    // Staff who know better approve it with their own reason, which no contact can withdraw.
    expect((await later(1)).status).toBe('SUSPENDED')
  })

  test('a block that lost its confirmation stays approved while something else proves it, or staff approved it with a reason', async () => {
    const { value, asn, later } = await denied()
    expect((await later(0)).ends).toBe(true)
    rpki.vrps = [{ prefix: value, maxLength: 24, asn }]
    expect(await later(8)).toEqual({ status: 'APPROVED', ends: false })
    rpki.vrps = []
    expect(await later(8)).toEqual({ status: 'APPROVED', ends: false })
    const other = await denied()
    await other.later(0)
    expect((await other.later(8)).status).toBe('SUSPENDED')
    expect((await other.approve({ reason: 'Contract of May.' })).body.status).toBe('APPROVED')
    expect(await other.later(30)).toEqual({ status: 'APPROVED', ends: false })
  })

  test('a suspended block comes back as a request once it is proved again', async () => {
    const { value, asn, later } = await denied()
    await later(0)
    expect((await later(8)).status).toBe('SUSPENDED')
    rpki.vrps = [{ prefix: value, maxLength: 24, asn }]
    expect((await later(0)).status).toBe('PENDING')
    rpki.vrps = []
  })

  test('is withdrawn by the link of the email that said so: warned of, and suspended after the grace', async () => {
    const one = await agreed()
    const approval = await call(staff, 'POST', `/api/admin/transit_prefixes/${one.id}/approve`, { reason: 'Known.' })
    expect(approval.body.status).toBe('APPROVED')
    expect(await withdraw(one.withdrawal)).toMatchObject({
      status: 200,
      body: { prefix: one.value, purpose: 'DOWNSTREAM', originAsn: MEMBER },
    })
    expect(await view(one.id)).toMatchObject({ contactLinks: [{ state: 'ENDED' }] })
    await check(one.id)
    expect(await statusOf(one.id)).toEqual({ status: 'APPROVED', ends: true })
    expect((await testApp.emails(one.userId)).map(({ subject }) => subject)).toContain(`${one.value} will be suspended`)
    const clock = { ...deps.clock, now: () => new Date(Date.now() + 8 * DAY_MS) }
    await checkReconciler({ ...deps, clock }).reconcile(one.id, AbortSignal.timeout(5_000))
    expect(await statusOf(one.id)).toMatchObject({ status: 'SUSPENDED' })
  })

  test('is withdrawn for every prefix of the downstream, with what other contacts confirmed, and staff are told', async () => {
    const one = await agreed()
    const other = `45.50.${++third}.0/24`
    rpki.vrps.push({ prefix: other, maxLength: 24, asn: MEMBER })
    const { body } = await call(one.userId, 'POST', '/api/transit_prefixes', { ...one.body, value: other })
    await send(body.id, agreement)
    await follow((await lastMail()).token)
    await check(body.id)
    expect((await view(body.id)).status).toBe('PENDING')
    expect((await withdraw(one.withdrawal)).status).toBe(200)
    await check(body.id)
    expect((await view(body.id)).status).toBe('NEEDS_ACTION')
    expect(await view(body.id)).toMatchObject({ contactLinks: [{ state: 'ENDED' }] })
    const { email } = await db.selectFrom('users').select('email').where('id', '=', staff).executeTakeFirstOrThrow()
    const notified = await db.selectFrom('outgoing_mail').select('subject').where('to_address', '=', email).execute()
    expect(notified.map(({ subject }) => subject)).toContain(`AS${MEMBER} withdrew its agreement with AS${one.asn}`)
  })

  test('is withdrawn as often as the button is pressed, and stays so until a new link is followed', async () => {
    const one = await agreed()
    const first = await withdraw(one.withdrawal)
    expect(await withdraw(one.withdrawal)).toEqual(first)
    expect((await follow(one.token)).status).toBe(422)
    const entries = await db
      .selectFrom('audit_events')
      .select('data')
      .where('account_id', '=', accountIdOf(one.userId))
      .where('action', '=', 'prefix.contact_link')
      .execute()
    expect(entries.filter(({ data }) => JSON.stringify(data).includes('withdrawn'))).toHaveLength(1)
    await send(one.id, agreement)
    expect((await follow((await lastMail()).token)).status).toBe(200)
    expect((await withdraw(one.withdrawal)).status).toBe(200)
    expect((await view(one.id)).contactLinks[0]).toMatchObject({ state: 'CONFIRMED' })
  })

  test('a withdrawn confirmation of a block is no evidence any more', async () => {
    const one = await request()
    await send(one.id, space)
    await follow((await lastMail()).token)
    expect((await view(one.id)).evidence).toHaveLength(1)
    const token = await withdrawalToken('noc@heron.example')
    expect(await withdraw(token)).toMatchObject({ status: 200, body: { purpose: 'SPACE', originAsn: null } })
    expect(await view(one.id)).toMatchObject({ evidence: [], contactLinks: [{ state: 'ENDED' }] })
  })

  test('is not withdrawn with the link that confirms, nor confirmed with the one that withdraws', async () => {
    const one = await downstream()
    await send(one.id, agreement)
    const { token } = await lastMail()
    expect((await withdraw(token)).status).toBe(422)
    expect((await follow(token)).status).toBe(200)
    expect((await withdraw(token)).status).toBe(422)
    expect((await follow(await withdrawalToken('noc@member.example'))).status).toBe(422)
    expect((await withdraw('1-'.padEnd(45, 'x'))).status).toBe(422)
    expect(await view(one.id)).toMatchObject({ contactLinks: [{ state: 'CONFIRMED' }] })
  })
})

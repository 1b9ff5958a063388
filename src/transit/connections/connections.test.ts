import type { AccountId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import { writeBillingStatus, type AccountBillingStatus } from '../../accounts/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { suspendUnproved } from './connections.ts'
import type { TransitSetUp } from '../deps.ts'
import { OPERATOR, eventually } from '../testing.ts'
import { transitWithWorker } from '../testing-worker.ts'

/** The accounts whose setup fee was to be charged. */
const setUps: AccountId[] = []
const setUp: TransitSetUp = {
  price: (_db, made) => Promise.resolve({ amount: 9900, currency: 'EUR', charged: made !== null && setUps.length > 0 }),
  charge: (_db, { accountId }) => Promise.resolve(void setUps.push(accountId)),
}
const testApp = await transitWithWorker(createSimulatedEdge({ sessionDelayMs: 0 }), { setUp })
const { call, statusOf, checked } = testApp
const staff = await testApp.addUser({ isAdmin: true })

test('a connection says what its setup costs before it is made, and has it charged when a session first comes up', async () => {
  const newcomer = await testApp.addUser({ asn: 500_911 })
  const read = async (userId: number) => (await call(userId, 'GET', '/api/transit_connection')).body.setup
  expect(await read(newcomer)).toEqual({ amount: 9900, currency: 'EUR', charged: false })
  const { userId } = await testApp.addConnected(500_912)
  await eventually(() => Promise.resolve(setUps.includes(accountIdOf(userId))))
  expect(setUps).not.toContain(accountIdOf(newcomer))
  expect(await read(userId)).toMatchObject({ charged: true })
})

describe('the connection', () => {
  test('says that its sessions are held back, and why, until the account stands well again', async () => {
    const { userId } = await testApp.addConnected(610_009)
    const suspension = async () => (await call(userId, 'GET', '/api/transit_connection')).body.suspension
    const testServer = (change: Partial<AccountBillingStatus>) =>
      inTransaction(testApp.db, (db) => writeBillingStatus(db, SYSTEM, accountIdOf(userId), change))
    expect(await suspension()).toBeNull()
    await testServer({ transit: 'drained', reason: 'An invoice is overdue.' })
    expect(await suspension()).toEqual({ as: 'drained', by: 'billing', reason: 'An invoice is overdue.' })
    await testServer({ suspended: true })
    expect(await suspension()).toEqual({ as: 'closed', by: 'billing', reason: 'An invoice is overdue.' })
    await testServer({ transit: 'normal', suspended: false, reason: null })
    expect(await suspension()).toBeNull()
  })

  test('a connection that changes its ASN loses its proof and suspends its prefixes, which return as requests once it is proved', async () => {
    const { userId } = await testApp.addConnected(610_001)
    const id = await testApp.request(userId, '45.43.0.0/24')
    await checked(id)
    await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })
    const changed = await call(userId, 'PUT', '/api/transit_connection', { asn: 610_002 })
    expect(changed.body).toMatchObject({ asn: 610_002, asnVerifiedAt: null, sessions: [] })
    expect(await testApp.prefix(id)).toMatchObject({ status: 'SUSPENDED', asn_changed: true })
    await eventually(async () => (await testApp.prefix(id)).imported_at === null)
    expect(
      (await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })).status,
    ).toBe(409)

    await testApp.db
      .updateTable('asn_ownerships')
      .set({ verified_at: new Date() })
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    const resumed = await statusOf(id, 'PENDING')
    expect(resumed).toMatchObject({ origin_asn: 610_002, asn_changed: false })
  })

  test('a connection whose ASN is not verified any more has its prefixes suspended and out of the edge, until it is proved again', async () => {
    const { userId } = await testApp.addConnected(610_003)
    const id = await testApp.request(userId, '45.43.3.0/24')
    await checked(id)
    await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })
    await eventually(async () => (await testApp.prefix(id)).imported_at !== null)
    await inTransaction(testApp.db, async (db) => {
      await db
        .updateTable('asn_ownerships')
        .set({ verified_at: null })
        .where('account_id', '=', accountIdOf(userId))
        .execute()
      await suspendUnproved(testApp.deps, db, SYSTEM, accountIdOf(userId))
    })
    expect(await testApp.prefix(id)).toMatchObject({
      status: 'SUSPENDED',
      asn_changed: true,
      status_reason: 'The ASN is no longer verified',
    })
    await eventually(async () => (await testApp.prefix(id)).imported_at === null)
    await testApp.db
      .updateTable('asn_ownerships')
      .set({ verified_at: new Date() })
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    expect(await statusOf(id, 'PENDING')).toMatchObject({ origin_asn: 610_003, asn_changed: false })
  })

  test('a connection whose ASN is doubted says why and until when, to its owner', async () => {
    const { userId } = await testApp.addConnected(610_005)
    expect((await call(userId, 'GET', '/api/transit_connection')).body).toMatchObject({ risk: null })
    const [since, lapsesAt] = [new Date('2026-03-02T09:00:00Z'), new Date('2026-03-16T09:00:00Z')]
    await testApp.db
      .updateTable('asn_ownerships')
      .set({ risk: 'holder_changed', at_risk_since: since, lapses_at: lapsesAt })
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    expect((await call(userId, 'GET', '/api/transit_connection')).body).toMatchObject({
      risk: { cause: 'holder_changed', since: since.toISOString(), lapsesAt: lapsesAt.toISOString() },
    })
  })

  test('takes no ASN that another account has verified, none that is reserved or ours, and no router of another', async () => {
    await testApp.addUser({ asn: 610_010 })
    const other = await testApp.addConnected(610_011)
    const userId = await testApp.addUser({})
    const put = (body: object) => call(userId, 'PUT', '/api/transit_connection', body)
    expect((await put({ asn: 610_010 })).status).toBe(409)
    expect((await put({ asn: 64_512 })).body.errors[0]).toMatchObject({ field: 'asn' })
    expect((await put({ asn: OPERATOR.asn })).body.errors[0]).toMatchObject({ field: 'asn' })
    expect((await put({ routerId: other.routerId })).body.errors[0]).toMatchObject({ field: 'routerId' })
    expect((await put({ asSet: 'AS-X\nmnt-by: ME' })).body.errors[0]).toMatchObject({ field: 'asSet' })
    expect((await put({ password: 'with space' })).body.errors[0]).toMatchObject({ field: 'password' })
    expect((await put({ nonsense: 1 })).status).toBe(422)
  })

  test('takes an AS-SET of a configured registry only, and names those', async () => {
    const userId = await testApp.addUser({})
    const put = (asSet: string) => call(userId, 'PUT', '/api/transit_connection', { asSet })
    for (const asSet of ['EVIL::AS-X', 'ALTDB::AS500010:AS-X', 'altdb::as-x']) {
      const { status, body } = await put(asSet)
      expect(status).toBe(422)
      expect(body.errors).toEqual([
        {
          field: 'asSet',
          message: expect.stringMatching(/^(EVIL|ALTDB) is not used here; use one of RIPE, ARIN, RADB$/),
        },
      ])
    }
    expect((await put('ripe::as-kestrel')).body.asSet).toBe('RIPE::AS-KESTREL')
  })

  test('names everything that is wrong with a change at once', async () => {
    const other = await testApp.addConnected(610_012)
    const userId = await testApp.addUser({})
    const put = async (body: object) =>
      (await call(userId, 'PUT', '/api/transit_connection', body)).body.errors.map(
        (error: { field: string }) => error.field,
      )
    expect(await put({ asn: 0, routerId: other.routerId })).toEqual(['asn', 'routerId'])
    expect(await put({ asn: 64_512, asSet: '!', routerId: other.routerId })).toEqual(['asSet', 'asn', 'routerId'])
  })

  test('never shows its password', async () => {
    const { userId } = await testApp.addConnected(610_020)
    const { body } = await call(userId, 'PUT', '/api/transit_connection', { password: 'hunter2-secret' })
    expect(body.hasPassword).toBe(true)
    expect(JSON.stringify(body)).not.toContain('hunter2-secret')
    const auditEvents = await testApp.db
      .selectFrom('audit_events')
      .select('data')
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    expect(JSON.stringify(auditEvents)).not.toContain('hunter2-secret')
  })

  test('a connection that is switched off by intent is DISABLED on the edge', async () => {
    const { userId } = await testApp.addConnected(610_021)
    await call(userId, 'PUT', '/api/transit_connection', { enabled: false })
    const { body } = await call(userId, 'GET', '/api/transit_connection')
    expect(body.sessions.map(({ state }: { state: string }) => state)).toEqual(['DISABLED', 'DISABLED'])
    const { id } = await testApp.db
      .selectFrom('transit_connections')
      .select('id')
      .where('account_id', '=', accountIdOf(userId))
      .executeTakeFirstOrThrow()
    const own = async () => (await testApp.edge.sessions()).filter(({ customerId }) => customerId === id)
    await expect.poll(async () => (await own()).map(({ state }) => state)).toEqual(['DISABLED', 'DISABLED'])
  })
})

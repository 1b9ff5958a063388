import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { checkReconciler } from './checks/check-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { app, call, rpki, db } = testApp
const check = (id: number) => checkReconciler(testApp.deps).reconcile(id, AbortSignal.timeout(10_000))
let staff: number
beforeAll(async () => {
  staff = await testApp.addUser({ roles: ['network'] })
  await db.updateTable('prefix_policy').set({ requests_per_hour: 10_000 }).execute()
})
afterAll(() => testApp.close())

interface Outcome {
  value: string
  prefix: string | null
  id: number | null
  problems: { code: string; message: string }[]
}
const request = (userId: number, values: readonly string[], more: object = {}) =>
  call(userId, 'POST', '/api/transit_prefixes/bulk', { values, announcementType: 'ORIGIN', ...more })
const codes = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ id, problems }) => (id === null ? problems[0]!.code : 'taken'))
const ownValues = async (userId: number) => {
  const rows = await db
    .selectFrom('transit_prefixes')
    .select('value')
    .where('account_id', '=', accountIdOf(userId))
    .orderBy('id')
    .execute()
  return rows.map(({ value }) => value)
}

describe('a list of prefixes', () => {
  test('is taken line by line: what is wrong is named, what is right is requested', async () => {
    const [userId, other] = [await testApp.addCustomer(), await testApp.addUser({ asn: 1_300_001 })]
    rpki.vrps.push({ prefix: '45.70.0.0/20', maxLength: 20, asn: 1_300_001 })
    await check(await testApp.request(other, '45.70.0.0/20'))
    await testApp.request(userId, '45.71.9.0/24')
    const { status, body } = await request(userId, [
      '45.71.1.0/24',
      '2d10:71::/32',
      '45.71.2.1/24',
      '10.0.0.0-10.0.3.255',
      '10.1.0.0/16',
      '45.71.1.0/24',
      '45.71.9.0/24',
      '45.70.1.0/24',
      '45.71.1.0/25',
      '45.0.0.0/15',
      'hello',
      '<script>',
      "'; drop table users; --",
      '45.71.0.0/20',
    ])
    expect(status).toBe(200)
    expect(codes(body)).toEqual([
      'taken',
      'taken',
      'HOST_BITS',
      'RANGE',
      'BOGON',
      'DUPLICATE',
      'HELD',
      'HELD',
      'TOO_LONG',
      'TOO_SHORT',
      'SYNTAX',
      'SYNTAX',
      'SYNTAX',
      'taken',
    ])
    const said = (body as Outcome[]).map(({ problems }) => problems[0]?.message)
    expect(said[2]).toBe('host bits are set: did you mean 45.71.2.0/24?')
    expect(said[3]).toBe('a range is not accepted; enter 10.0.0.0/22')
    expect(said[6]).toBe('you already have this prefix: it is pending')
    // Does not say whose it is.
    expect(said[7]).toBe('inside a prefix held by another customer')
    expect(await ownValues(userId)).toEqual(['45.71.9.0/24', '45.71.1.0/24', '2d10:71::/32', '45.71.0.0/20'])
  })

  test('is requested once however often the call is repeated with its key', async () => {
    const userId = await testApp.addCustomer()
    const send = () =>
      app.inject({
        method: 'POST',
        url: '/api/transit_prefixes/bulk',
        headers: { authorization: `Bearer user-${userId}`, 'idempotency-key': 'list-1' },
        payload: { values: ['45.72.1.0/24', '45.72.1.1/24'], announcementType: 'ORIGIN' },
      })
    const first = await send()
    expect(codes(first.json())).toEqual(['taken', 'HOST_BITS'])
    expect((await send()).json()).toEqual(first.json())
    expect(await ownValues(userId)).toEqual(['45.72.1.0/24'])
  })

  test('takes a hundred and says so, is refused without lines, and names what is wrong for all of them', async () => {
    const userId = await testApp.addCustomer()
    const many = await request(
      userId,
      Array.from({ length: 101 }, (_, index) => `45.73.${index}.0/24`),
    )
    expect(many).toMatchObject({ status: 422, body: { errors: [{ field: 'values' }] } })
    expect(many.body.errors[0].message).toContain('at most 100 prefixes')
    expect((await request(userId, [])).status).toBe(422)
    const downstream = await request(userId, ['45.73.1.0/24'], { announcementType: 'DOWNSTREAM', originAsn: 64_512 })
    expect(downstream.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'announcementType',
      'originAsn',
    ])
    expect(await ownValues(userId)).toEqual([])
  })

  test('lists of two customers at the same moment end with words for both and without a deadlock', async () => {
    const [first, second] = [await testApp.addUser({ asn: 1_300_010 }), await testApp.addUser({ asn: 1_300_011 })]
    const values = Array.from({ length: 12 }, (_, index) => `45.74.${index}.0/24`)
    const answers = await Promise.all([
      request(first, values),
      request(second, values.toReversed()),
      request(first, values),
      request(second, values),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const userId of [first, second])
      expect(new Set(await ownValues(userId)).size).toBe((await ownValues(userId)).length)
    expect(await ownValues(first)).toHaveLength(12)
  })

  test('is checked as it would be requested: duplicates and what is beyond the quota are named', async () => {
    const userId = await testApp.addCustomer()
    await setQuota(userId, { prefixes: 2, openRequests: null })
    const { body } = await call(userId, 'POST', '/api/transit_prefixes/check', {
      values: ['45.75.1.0/24', '45.75.1.0/24', '45.75.2.0/24', '45.75.3.0/24', '45.75.0.0-45.75.0.255'],
    })
    expect(body.map((one: { problems: { code: string }[] }) => one.problems[0]?.code)).toEqual([
      undefined,
      'DUPLICATE',
      undefined,
      'LIMIT',
      'RANGE',
    ])
    expect(body[4].remediation[0].text).toBe('45.75.0.0/24')
    expect(await ownValues(userId)).toEqual([])
  })
})

const setQuota = (userId: number, limits: { prefixes: number | null; openRequests: number | null }, by = staff) =>
  call(by, 'PUT', `/api/admin/users/${userId}/prefix_quota`, { ...limits, reason: 'Grew.' })

describe('the quota of an account', () => {
  test('is shown, refuses more with a code, and is raised by staff with a reason in the audit log', async () => {
    const userId = await testApp.addUser({ asn: 1_300_020 })
    expect((await setQuota(userId, { prefixes: 2, openRequests: null })).status).toBe(200)
    expect(codes((await request(userId, ['45.76.1.0/24', '45.76.2.0/24', '45.76.3.0/24'])).body)).toEqual([
      'taken',
      'taken',
      'LIMIT',
    ])
    const single = await call(userId, 'POST', '/api/transit_prefixes', {
      value: '45.76.3.0/24',
      announcementType: 'ORIGIN',
    })
    expect(single).toMatchObject({ status: 422, body: { code: 'limit_reached', errors: [{ field: 'value' }] } })
    expect(single.body.errors[0].message).toContain('quota of 2 prefixes')
    expect((await call(userId, 'GET', '/api/transit_prefixes/quota')).body).toMatchObject({
      prefixes: { used: 2, limit: 2 },
      openRequests: { used: 2, limit: 20 },
    })
    const { body } = await setQuota(userId, { prefixes: 3, openRequests: 40 })
    expect(body).toMatchObject({
      prefixes: { used: 2, limit: 3 },
      own: { prefixes: 3, openRequests: 40, reason: 'Grew.' },
    })
    expect(codes((await request(userId, ['45.76.3.0/24'])).body)).toEqual(['taken'])
    const entry = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'prefix_quota.changed')
      .where('account_id', '=', accountIdOf(userId))
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      actor_id: staff,
      data: { before: { prefixes: 2 }, after: { prefixes: 3, openRequests: 40 }, reason: 'Grew.' },
    })
  })

  test('takes nothing away where it is below what there is, and follows the policy where it is null', async () => {
    const userId = await testApp.addUser({ asn: 1_300_021 })
    await request(userId, ['45.77.1.0/24', '45.77.2.0/24'])
    await setQuota(userId, { prefixes: 0, openRequests: null })
    expect(await ownValues(userId)).toHaveLength(2)
    expect(codes((await request(userId, ['45.77.3.0/24'])).body)).toEqual(['LIMIT'])
    const { body } = await setQuota(userId, { prefixes: null, openRequests: null })
    expect(body.prefixes).toEqual({ used: 2, limit: body.defaults.prefixes })
  })

  test('is the account’s own, set by the network role alone, and not without a reason', async () => {
    const [userId, other] = [await testApp.addCustomer(), await testApp.addCustomer()]
    await setQuota(userId, { prefixes: 1, openRequests: null })
    expect((await call(other, 'GET', '/api/transit_prefixes/quota')).body.prefixes.limit).toBe(200)
    const url = `/api/admin/users/${userId}/prefix_quota`
    const support = await testApp.addUser({ roles: ['support'] })
    const body = { prefixes: 9, openRequests: null, reason: 'x' }
    expect((await call(userId, 'GET', url)).status).toBe(403)
    expect((await call(userId, 'PUT', url, body)).status).toBe(403)
    expect(await call(support, 'PUT', url, body)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect((await call(staff, 'PUT', url, { ...body, reason: ' ' })).status).toBe(422)
    expect((await call(staff, 'PUT', url, { ...body, prefixes: -1 })).status).toBe(422)
    expect((await call(staff, 'PUT', '/api/admin/users/999999/prefix_quota', body)).status).toBe(404)
  })

  test('is never changed by staff for their own account', async () => {
    const self = await testApp.addUser({ roles: ['network'] })
    const more = { prefixes: 900, openRequests: null }
    expect(await setQuota(self, more, self)).toMatchObject({ status: 403, body: { code: 'own_request' } })
    expect((await setQuota(self, more)).status).toBe(200)
  })

  test('two requests at the same moment cannot both be the last', async () => {
    const userId = await testApp.addUser({ asn: 1_300_022 })
    await setQuota(userId, { prefixes: 3, openRequests: null })
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => request(userId, [`45.78.${index}.0/24`, `45.79.${index}.0/24`])),
    )
    expect(await ownValues(userId)).toHaveLength(3)
  })
})

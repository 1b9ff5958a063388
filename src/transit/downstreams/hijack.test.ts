/**
 * The hijack of August 2022 (kentik.com/blog/bgp-hijacks-targeting-cryptocurrency-services), replayed by a customer who
 * knows every rule. Another network's AS-SET would permit that network's prefix, with a valid ROA and a true route
 * object.
 */
import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { checkReconciler } from '../prefixes/checks/check-job.ts'
import { createTransitTestApp } from '../testing.ts'
import { setOf } from '../testing-sources.ts'

const simulated = createSimulatedEdge({ sessionDelayMs: 0 })
const testApp = await createTransitTestApp(simulated)
const { call, irr, rpki } = testApp
const worker = testApp.startWorker()
afterAll(async () => {
  await worker.stop()
  await testApp.close()
})

const THIEF = 500_033
const VICTIM = 500_020
let staff: number
beforeAll(async () => {
  staff = await testApp.addUser({ isAdmin: true })
  thief = (await testApp.addConnected(THIEF)).userId
  rpki.change([
    { prefix: '45.30.20.0/24', maxLength: 24, asn: VICTIM },
    { prefix: '45.30.21.0/24', maxLength: 24, asn: VICTIM },
    { prefix: '45.30.22.0/24', maxLength: 24, asn: VICTIM },
  ])
  irr.objects = ['45.30.20.0/24', '45.30.21.0/24', '45.30.22.0/24'].map((prefix) => ({
    prefix,
    origin: VICTIM,
    source: 'RIPE',
  }))
  const autNum = { source: 'RIPE', memberOf: [], providers: [] }
  irr.autNumObjects = [
    { ...autNum, asn: THIEF, maintainers: ['WHIMBREL-MNT'] },
    { ...autNum, asn: VICTIM, maintainers: ['PLOVER-MNT'], providers: [500_001] },
  ]
  irr.asSets.set('AS-PLOVER', setOf('AS-PLOVER', [VICTIM], { maintainers: ['PLOVER-MNT'] }))
  irr.asSets.set(
    `AS${THIEF}:AS-CUSTOMERS`,
    setOf(`AS${THIEF}:AS-CUSTOMERS`, [THIEF, VICTIM], { maintainers: ['WHIMBREL-MNT'] }),
  )
})

let thief: number
async function attempt(asSet: string, value: string) {
  const userId = thief
  await call(userId, 'PUT', '/api/transit_connection', { asSet })
  const dryRun = await call(userId, 'POST', '/api/transit_prefixes/check', {
    values: [value],
    announcementType: 'DOWNSTREAM',
    originAsn: VICTIM,
  })
  const body = { value, announcementType: 'DOWNSTREAM', originAsn: VICTIM }
  const { body: requested } = await call(userId, 'POST', '/api/transit_prefixes', body)
  await checkReconciler(testApp.deps).reconcile(requested.id, AbortSignal.timeout(10_000))
  const { body: seen } = await call(userId, 'GET', `/api/transit_prefixes/${requested.id}`)
  const approved = await call(staff, 'POST', `/api/admin/transit_prefixes/${requested.id}/approve`, {})
  return { id: requested.id as number, userId, dryRun: dryRun.body[0], seen, approved }
}
/** Everything that the edge accepts from the thief's router. */
async function accepted(): Promise<string[]> {
  const { id } = await testApp.db
    .selectFrom('transit_connections')
    .select('id')
    .where('account_id', '=', accountIdOf(thief))
    .executeTakeFirstOrThrow()
  return (await simulated.routes(id)).map(({ prefix }) => prefix)
}

describe('a hijack', () => {
  test('a hijack with the AS-SET of its victim is refused in words, and its prefix never reaches the edge', async () => {
    const { id, seen, dryRun, approved } = await attempt('AS-PLOVER', '45.30.20.0/24')
    expect(dryRun).toMatchObject({
      acceptable: false,
      downstream: { set: { ownership: 'NOT_OWN', maintainers: ['PLOVER-MNT'] }, consent: { status: 'NONE' } },
    })
    expect(dryRun.problems.map(({ code }: { code: string }) => code)).toEqual(['AS_SET', 'CONSENT'])
    expect(dryRun.remediation.map(({ kind }: { kind: string }) => kind)).toEqual(['AS_SET', 'ASPA', 'AUT_NUM', 'MAIL'])
    expect(seen).toMatchObject({ status: 'NEEDS_ACTION', rpkiStatus: 'VALID', irrStatus: 'VALID' })
    expect(seen.statusReason).toContain(
      'RIPE::AS-PLOVER does not belong to this account: it is maintained by PLOVER-MNT',
    )
    expect(seen.statusReason).toContain('AS500020 does not name AS500033')
    expect(seen.stages[2]).toMatchObject({ name: 'irr', state: 'failed', detail: seen.statusReason })
    expect(approved.status).toBe(422)
    expect(approved.body.errors[0]).toMatchObject({ field: 'reason' })
    expect(await testApp.prefix(id)).toMatchObject({ status: 'NEEDS_ACTION' })
    expect(await accepted()).toEqual([])
  })

  test('a hijack with a set of its own that lists the victim is refused: no one asked the victim', async () => {
    const { seen, approved } = await attempt(`AS${THIEF}:AS-CUSTOMERS`, '45.30.21.0/24')
    expect(seen.status).toBe('NEEDS_ACTION')
    expect(seen.statusReason).toBe('AS500020 does not name AS500033 as its transit in an ASPA or in its aut-num.')
    expect(approved.status).toBe(422)
    expect(await accepted()).toEqual([])
  })

  test('cannot be approved with any reason once the victim has signed who its providers are', async () => {
    rpki.aspas = new Map([[VICTIM, [500_001]]])
    const { id, seen } = await attempt(`AS${THIEF}:AS-CUSTOMERS`, '45.30.22.0/24')
    expect(seen.statusReason).toBe('The ASPA of AS500020 names AS500001 only, not AS500033.')
    const approval = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {
      reason: 'Known by phone',
    })
    expect(approval.status).toBe(409)
    expect(approval.body.detail).toContain('The ASPA of AS500020 names AS500001 only')
    expect(await accepted()).toEqual([])
  })
})

import { afterAll, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../../drivers/edge/simulated/index.ts'
import { SYSTEM } from '../../../platform/audit.ts'
import { inTransaction } from '../../../platform/db/index.ts'
import { decide } from '../decisions.ts'
import { createTransitTestApp } from '../../testing.ts'
import { addDownstreams } from '../../testing-sources.ts'
import { checkReconciler } from './check-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, irr } = testApp
afterAll(() => testApp.close())

/** Checks a prefix, and something happens while the registry of routes is asked. */
async function checkWhile(id: number, happens: () => Promise<unknown>): Promise<void> {
  const asking = { ...irr, routeObjects: (...asked: Parameters<typeof irr.routeObjects>) => ask(...asked) }
  const ask = async (...asked: Parameters<typeof irr.routeObjects>) => {
    const answer = await irr.routeObjects(...asked)
    await happens()
    return answer
  }
  await checkReconciler({ ...testApp.deps, irr: asking }).reconcile(id, AbortSignal.timeout(10_000))
}

async function downstream(asn: number, value: string) {
  const asSet = addDownstreams(irr, asn, [asn + 1, asn + 2])
  irr.objects = [{ prefix: value, origin: asn + 1, source: 'RIPE' }]
  const { userId } = await testApp.addConnected(asn, asSet)
  const id = await testApp.request(userId, value, 'DOWNSTREAM')
  await checkWhile(id, async () => undefined)
  expect(await testApp.prefix(id)).toMatchObject({ status: 'PENDING', origin_asn: asn + 1 })
  return { id, userId }
}

test('a prefix that is approved while it is checked keeps the origin that was approved', async () => {
  const { id } = await downstream(500_100, '45.31.0.0/24')
  irr.objects = [{ prefix: '45.31.0.0/24', origin: 500_102, source: 'RIPE' }]
  const staff = { ...SYSTEM, kind: 'staff', userId: await testApp.addUser({ isAdmin: true }) } as const
  const decision = { action: 'approve', reason: 'Known by phone.', actor: staff, at: new Date() } as const
  await checkWhile(id, () => inTransaction(db, (transaction) => decide(testApp.deps, transaction, id, decision)))
  expect(await testApp.prefix(id)).toMatchObject({ status: 'APPROVED', origin_asn: 500_101 })
})

test('a check of members of another AS-SET than there is by now counts for nothing, and is still due', async () => {
  const { id, userId } = await downstream(500_110, '45.31.1.0/24')
  irr.asSets.set('AS-HERON', [])
  await checkWhile(id, () => call(userId, 'PUT', '/api/transit_connection', { asSet: 'AS-HERON' }))
  const { check_after } = await testApp.prefix(id)
  expect(check_after!.getTime()).toBeLessThanOrEqual(Date.now())
  expect(await db.selectFrom('transit_prefixes').select('membership').where('id', '=', id).execute()).toEqual([
    { membership: 'MEMBER' },
  ])
})

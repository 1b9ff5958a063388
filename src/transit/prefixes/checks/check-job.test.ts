import { afterAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../../drivers/edge/simulated/index.ts'
import { manualClock } from '../../../kernel/clock.ts'
import { SYSTEM } from '../../../platform/audit.ts'
import { inTransaction } from '../../../platform/db/index.ts'
import { decide } from '../decisions.ts'
import { createTransitTestApp } from '../../testing.ts'
import { addDownstreams, setOf } from '../../testing-sources.ts'
import { checkPrefix, checkReconciler, refreshChecks } from './check-job.ts'
import { createSources } from './run-checks.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, irr } = testApp
afterAll(() => testApp.close())

/** Checks a prefix, and runs `happens` while the IRR is queried. */
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

describe('before an approval, with checks of at most five minutes', () => {
  const MINUTE_MS = 60_000
  /** A downstream for an operator with this limit, with sources that cache their answers. */
  async function limited(asn: number, value: string) {
    await db.updateTable('prefix_policy').set({ check_age_minutes: 5 }).execute()
    const { id } = await downstream(asn, value)
    const clock = manualClock(new Date())
    const deps = { ...testApp.deps, clock }
    const sources = createSources(deps)
    const seen = async () => {
      const { membership, downstream: found } = await testApp.prefix(id)
      return { membership, consent: found?.consent?.status }
    }
    return {
      wait: (minutes: number) => clock.advance(minutes * MINUTE_MS),
      check: () => checkPrefix(deps, sources, id),
      approach: async () => {
        await refreshChecks(deps, sources, await testApp.prefix(id))
        return seen()
      },
    }
  }
  const leave = (asn: number) => irr.asSets.set(`AS${asn}:AS-CUSTOMERS`, setOf(`AS${asn}:AS-CUSTOMERS`, [asn + 2]))

  test('an AS-SET that was read six minutes ago is read again', async () => {
    const { wait, check, approach } = await limited(500_120, '45.31.2.0/24')
    await check()
    leave(500_120)
    wait(4)
    expect(await approach()).toMatchObject({ membership: 'MEMBER' })
    wait(2)
    expect(await approach()).toMatchObject({ membership: 'NOT_MEMBER' })
  })

  test('an AS-SET that was four minutes old when it was last used counts from when it was read', async () => {
    const { wait, check, approach } = await limited(500_130, '45.31.3.0/24')
    await check()
    leave(500_130)
    wait(4)
    await check()
    wait(2)
    expect(await approach()).toMatchObject({ membership: 'NOT_MEMBER' })
  })

  test('an aut-num that was read six minutes ago is read again', async () => {
    const { wait, check, approach } = await limited(500_140, '45.31.4.0/24')
    await check()
    irr.autNumObjects = irr.autNumObjects.map((object) => ({ ...object, providers: [] }))
    wait(4)
    expect(await approach()).toMatchObject({ consent: 'AGREED' })
    wait(2)
    expect(await approach()).toMatchObject({ membership: 'MEMBER', consent: 'NONE' })
  })
})

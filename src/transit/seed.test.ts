import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startIrr } from '../../lab/sources/irr.ts'
import { startRtr } from '../../lab/sources/rtr.ts'
import { createSimulatedEdge } from '../drivers/edge/simulated/index.ts'
import { createIrrd } from '../drivers/irr/irrd/index.ts'
import { createRtrSource } from '../drivers/rpki/rtr/index.ts'
import { checkReconciler } from './prefixes/checks/check-job.ts'
import { seedTransit } from './seed.ts'
import { eventually, createTransitTestApp } from './testing.ts'

const data = path.join(import.meta.dirname, '../../lab/data')
const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const rtr = await startRtr({ file: path.join(data, 'vrps.json') })
const irrd = await startIrr({ file: path.join(data, 'irr.rpsl') })
const rpki = createRtrSource({ host: '127.0.0.1', port: rtr.port })
const irr = createIrrd({ host: '127.0.0.1', port: irrd.port, sources: ['RIPE', 'RADB'] })
const deps = { ...testApp.deps, rpki, irr }
afterAll(async () => {
  await rpki.close()
  await irr.close()
  await rtr.close()
  await irrd.close()
  await testApp.close()
})

test('the demonstration shows each verdict that real caches and registries give', async () => {
  const staffId = await testApp.addUser({ isAdmin: true })
  const customerId = await testApp.addUser({ asn: 500_010 })
  const routerId = await testApp.addRouter(customerId)
  await eventually(async () => rpki.report().state === 'current')
  await seedTransit(deps, testApp.db, { staffId, customerId, routerId })
  await testApp.settle(checkReconciler(deps))
  const rows = await testApp.db
    .selectFrom('transit_prefixes')
    .select(['value', 'status', 'rpki_status', 'irr_status', 'origin_asn'])
    .where('user_id', '=', customerId)
    .orderBy('id')
    .execute()
  const lines = rows.map((row) => `${row.value} ${row.status} ${row.rpki_status} ${row.irr_status} AS${row.origin_asn}`)
  expect(lines).toEqual([
    '45.30.10.0/24 APPROVED VALID VALID AS500010',
    '2d10:10::/32 PENDING VALID VALID AS500010',
    '45.30.11.0/24 PENDING VALID VALID AS500011',
    expect.stringMatching(/^45\.30\.12\.0\/24 NEEDS_ACTION INVALID /),
    '45.30.14.0/24 PENDING NOT_FOUND NOT_FOUND AS500010',
  ])
})

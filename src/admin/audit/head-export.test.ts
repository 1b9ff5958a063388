import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { manualClock } from '../../kernel/clock.ts'
import { audit, SYSTEM } from '../../platform/audit.ts'
import { headsIn, verifyAuditChain } from '../../platform/audit-chain.ts'
import { testDatabase } from '../../platform/db/testing.ts'
import { EXPORT_EVERY_MS, headExportReconciler } from './head-export.ts'

const { db } = await testDatabase()
const clock = manualClock('2026-11-22T10:00:00Z')
const received: string[] = []
const server = createServer((socket) => socket.on('data', (data) => received.push(data.toString())))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())
const receiver = { protocol: 'tcp', host: '127.0.0.1', port: (server.address() as AddressInfo).port } as const
const lines: string[] = []
const log = pino({}, { write: (line: string) => void lines.push(line) })
const reconciler = headExportReconciler({ db, clock, log, receiver })

const write = () => audit(db, SYSTEM, { action: 'account.changed', subject: { type: 'thing', id: 1 }, accountId: null })
const work = async (one = reconciler): Promise<void> => {
  for (const id of await one.due()) await one.reconcile(id, AbortSignal.timeout(10_000))
}
/** Rewrites each event and the whole chain with full database rights, so that the chain is consistent. */
async function rewriteChain(): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`set session_replication_role = replica`.execute(one)
    await sql`update audit_events set action = 'thing.undone' where id = (select min(id) from audit_events)`.execute(
      one,
    )
    await sql`do $$ declare link audit_links; last bytea := decode(repeat('00', 32), 'hex'); event audit_events; begin
      for link in select * from audit_links order by position loop
        select * into event from audit_events where id = link.event_id;
        update audit_links set prev_hash = last, hash = audit_hash(link.position, last, event)
          where position = link.position returning hash into last;
      end loop;
      update audit_head set hash = last;
    end $$`.execute(one)
    await sql`set session_replication_role = origin`.execute(one)
  })
}

test('a chain that was rewritten as a whole is found by the heads that were exported', async () => {
  await write()
  await work()
  await expect.poll(() => received).toHaveLength(1)
  await write()
  // Not due yet.
  expect(await reconciler.due()).toEqual([])
  clock.advance(EXPORT_EVERY_MS)
  await work()
  await expect.poll(() => headsIn(received.join('\n'))).toHaveLength(2)
  const exported = headsIn(received.join('\n'))
  expect(exported.map(({ position }) => position)).toEqual([1, 2])
  // Without a receiver, the process log has the same heads.
  expect(headsIn(lines.join(''))).toEqual(exported)
  expect((await verifyAuditChain(db, exported)).faults).toEqual([])

  await rewriteChain()
  expect((await verifyAuditChain(db)).faults).toEqual([])
  expect((await verifyAuditChain(db, exported)).faults).toEqual([
    'The head that was noted, 1, is not in the chain.',
    'The head that was noted, 2, is not in the chain.',
  ])
})

test('a receiver that is away fails the step, which is due again until it takes the head', async () => {
  const away = headExportReconciler({ db, clock, log, receiver: { ...receiver, port: 1 } })
  await expect(work(away)).rejects.toThrow(/ECONNREFUSED/)
  expect(await away.due()).toEqual([1])
})

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { audit, SYSTEM } from '../../platform/audit.ts'
import { addSites, createStaffTestApp } from '../testing.ts'
import { verificationReconciler } from './verification.ts'

const { app, db, addCustomers } = await createStaffTestApp()
const reconciler = verificationReconciler({ db, clock: systemClock })
const PATH = '/api/admin/audit_verification'
const call = async (method: 'GET' | 'POST', who = 'staff') => {
  const answer = await app.inject({ method, url: PATH, headers: { authorization: `Bearer ${who}` } })
  return { status: answer.statusCode, body: answer.json() }
}
const work = async () => {
  for (const id of await reconciler.due()) await reconciler.reconcile(id, AbortSignal.timeout(10_000))
}
const write = () => audit(db, SYSTEM, { action: 'account.changed', subject: { type: 'thing', id: 1 }, accountId: null })

beforeAll(async () => {
  await addSites(db)
  await addCustomers(1)
})
beforeEach(() => db.deleteFrom('audit_verifications').execute())

describe('the chain of the audit log', () => {
  test('is verified automatically once a day', async () => {
    await write()
    expect((await call('GET')).body).toMatchObject({ last: null, running: null })
    await work()
    const { body } = await call('GET')
    expect(body).toMatchObject({ running: null, last: { upTo: body.lines, faults: [] } })
    await work()
    expect(await db.selectFrom('audit_verifications').select('id').execute()).toHaveLength(1)
  })

  test('is verified when an owner asks, and shows how far that is', async () => {
    const asked = await call('POST')
    expect(asked).toMatchObject({ status: 202, body: { running: { position: 0, total: expect.any(Number) } } })
    expect((await call('POST')).status).toBe(409)
    await work()
    const { body } = await call('GET')
    expect(body.running).toBeNull()
    expect(body.last.upTo).toBe(asked.body.lines + 1)
    const head = await sql<{ hash: string }>`select encode(hash, 'hex') as hash from audit_head`.execute(db)
    expect(body.last.hash).toBe(head.rows[0]!.hash)
  })

  test('a tampered chain is reported line by line', async () => {
    await write()
    await sql`alter table audit_events disable trigger audit_events_immutable`.execute(db)
    await sql`update audit_events set action = 'thing.undone' where id = (select max(id) from audit_events)`.execute(db)
    await work()
    const { body } = await call('GET')
    expect(body.last.faults).toEqual([expect.stringMatching(/^Event \d+ \(link \d+\) is not what was written\.$/)])
  })
})

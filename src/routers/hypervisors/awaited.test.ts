/** Orders and commands while the only host of a site does not answer. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { markDisconnected } from './hypervisor-watch.ts'
import { createRoutersTestApp } from '../testing.ts'
import { newHypervisor, startHypervisorAgent, type HypervisorAgentProcess } from './testing.ts'

// As ROLE=web: it drives nothing itself.
const testApp = await createRoutersTestApp({ agent: 'none' })
const { db } = testApp
const owner = await testApp.addUser()
const SLUG = 'ams1-hv1'
const place = newHypervisor()
let host: HypervisorAgentProcess | undefined

async function start(): Promise<void> {
  host = await startHypervisorAgent(testApp, SLUG, place)
  await vi.waitUntil(async () => (await row()).connected, { timeout: 20_000 })
}
/** Ends the process until it is missed, as in a restart that takes longer than heartbeats may be late. */
async function end(): Promise<void> {
  await host?.end()
  host = undefined
  await markDisconnected(db, testApp.hypervisorId, 'No process drives it.')
}
const row = () => db.selectFrom('hypervisors').selectAll().where('slug', '=', SLUG).executeTakeFirstOrThrow()
const order = (name: string) =>
  owner.call('POST', '/api/virtual_machines', { name, site: 'ams1', plan: 'lark', image: 'longhaul-appliance' })
const read = async (id: number) => (await owner.call('GET', `/api/virtual_machines/${id}`)).body
const become = (id: number, state: string) =>
  vi.waitUntil(async () => (await read(id)).state === state, { timeout: 20_000 })
const act = async (id: number, action: string) =>
  expect((await owner.call('POST', `/api/virtual_machines/${id}/actions`, { action })).status).toBe(202)
const isOffered = async () =>
  (await owner.call('GET', '/api/catalogue')).body.sites.find((site: { slug: string }) => site.slug === 'ams1')
    .available

beforeAll(start)
afterAll(() => host?.end())

describe('while the only host is being restarted', () => {
  it('an order is accepted, waits as CREATING, and is carried out when the host is back', async () => {
    await end()
    expect((await row()).connected).toBe(false)
    expect(await isOffered()).toBe(true)
    const { status, body } = await order('awaits')
    expect({ status, state: body.state, known: body.stateKnown }).toEqual({
      status: 202,
      state: 'CREATING',
      known: false,
    })
    await start()
    await become(body.id, 'RUNNING')
  })

  it('a start and a larger plan are accepted and carried out when the host is back', async () => {
    const { body } = await order('stopped')
    await become(body.id, 'RUNNING')
    await act(body.id, 'stop')
    await become(body.id, 'STOPPED')
    await end()
    const url = `/api/virtual_machines/${body.id}`
    expect((await owner.call('PATCH', url, { plan: 'swift' })).status).toBe(200)
    await start()
    await become(body.id, 'STOPPED')
    await end()
    await act(body.id, 'start')
    await start()
    await become(body.id, 'RUNNING')
    expect(await read(body.id)).toMatchObject({ plan: 'swift', memory: 512 })
  })
})

describe('when the only host has not answered for a quarter of an hour', () => {
  it('an order is answered 503 with a time after which to try again, and the site is not offered', async () => {
    await end()
    await sql`update hypervisors set answered_at = now() - interval '14 minutes'`.execute(db)
    expect((await order('fourteen')).status).toBe(202)
    await sql`update hypervisors set answered_at = now() - interval '16 minutes'`.execute(db)
    expect(await isOffered()).toBe(false)
    expect(await order('sixteen')).toMatchObject({
      status: 503,
      body: { detail: 'The hypervisors at this site are not responding. Try again in a minute.' },
    })
    const { body } = await owner.call('GET', '/api/virtual_machines')
    expect(body.map((router: { name: string }) => router.name)).not.toContain('sixteen')
  })

  it('an order that no host has room for is 409 all the same: to wait would not help', async () => {
    await db.updateTable('hypervisors').set({ disk: 1 }).execute()
    expect(await order('large')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('capacity for this plan') },
    })
  })
})

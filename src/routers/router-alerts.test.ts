import type { UserId } from '../kernel/ids.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { readMailBody } from '../platform/mail.ts'
import { routerAlertReconciler } from './router-alerts.ts'
import { createRoutersTestApp, SECRET_KEY } from './testing.ts'

const testApp = await createRoutersTestApp()
const { db, deps } = testApp

let userId: UserId
let router: { readonly id: number; readonly name: string }
let minutes = 0
let orders = 0
beforeEach(async () => {
  userId = (await testApp.addUser()).id
  router = await testApp.order(userId, { name: `watched-${++orders}` })
  await testApp.settle(router.id)
  minutes = 0
  await become(RUNNING)
  await db.updateTable('hypervisors').set({ connected: true }).execute()
})

const moment = (minute: number) => new Date(Date.parse('2026-11-24T03:00:00Z') + minute * 60_000)
const RUNNING = { observed: 'running', failure: null, ready_at: moment(0) } as const
const CRASHED = { observed: 'crashed', ready_at: null } as const
const FAILED = {
  observed: 'off',
  ready_at: null,
  failure: 'The router could not be started: its host refused.',
} as const
const become = (row: object) => db.updateTable('routers').set(row).where('id', '=', router.id).execute()
/** Returns the subjects of all emails so far, once the job has run again. */
const after = async (more: number) => {
  minutes += more
  const now = moment(minutes)
  const alerts = routerAlertReconciler({ ...deps, clock: { now: () => now } })
  for (const id of await alerts.due()) if (id === router.id) await alerts.reconcile(id, AbortSignal.timeout(10_000))
  return (await mails()).map(({ subject }) => subject.replace(router.name, 'X'))
}
const mails = () => db.selectFrom('outgoing_mail').selectAll().where('user_id', '=', userId).orderBy('id').execute()
const DOWN = 'Router not running: X'
const BACK = 'Router running again: X'

describe('the owner of a router that does not run though it should', () => {
  test('is emailed once after five minutes, with the reason, and once when it has run for a minute', async () => {
    await become(FAILED)
    expect(await after(1)).toEqual([])
    expect(await after(4)).toEqual([])
    expect(await after(1)).toEqual([DOWN])
    expect(await after(60)).toEqual([DOWN])
    const { text } = readMailBody(SECRET_KEY, (await mails())[0]!)!
    expect(text).toContain(`${router.name} has not been running since 2026-11-24 03:01 UTC. ${FAILED.failure}`)
    expect(text).toContain(`https://portal.example.net/routers/${router.id}`)
    await become({ ...RUNNING, ready_at: moment(66) })
    expect(await after(0.5)).toEqual([DOWN])
    expect(await after(1)).toEqual([DOWN, BACK])
    expect(await after(60)).toEqual([DOWN, BACK])
  })

  test('is emailed of one that crashes again and again, though it runs in between', async () => {
    for (let crash = 0; crash < 6; crash += 1) {
      await become(CRASHED)
      await after(0.5)
      await become({ ...RUNNING, ready_at: moment(minutes + 0.1) })
      await after(0.5)
    }
    await become(CRASHED)
    expect(await after(0.5)).toEqual([DOWN])
  })

  test('is not emailed of one that crashed and runs again', async () => {
    await become(CRASHED)
    await after(1)
    await become({ ...RUNNING, ready_at: moment(minutes) })
    await after(2)
    await become(CRASHED)
    expect(await after(4)).toEqual([])
  })

  test('is not emailed of one that was stopped, that the account may not run, or that is being created', async () => {
    for (const row of [{ desired_state: 'stopped' }, { suspended: true }, { reachable_at: null }]) {
      await become({ ...CRASHED, ...row })
      await after(1)
      expect(await after(10)).toEqual([])
      await become({ ...RUNNING, desired_state: 'running', suspended: false, reachable_at: moment(0) })
    }
  })

  test('is not emailed that it runs again when its owner has stopped it meanwhile', async () => {
    await become(FAILED)
    await after(1)
    expect(await after(6)).toEqual([DOWN])
    await become({ ...CRASHED, failure: null, desired_state: 'stopped' })
    await after(1)
    await become({ ...RUNNING, desired_state: 'running', ready_at: moment(minutes) })
    expect(await after(5)).toEqual([DOWN])
  })

  test('is not emailed while nothing is heard of the hypervisor', async () => {
    await become(FAILED)
    await after(1)
    await db.updateTable('hypervisors').set({ connected: false }).execute()
    expect(await after(10)).toEqual([])
    await db.updateTable('hypervisors').set({ connected: true }).execute()
    expect(await after(1)).toEqual([DOWN])
  })

  test('is not emailed who switched these emails off', async () => {
    await db.insertInto('muted_mails').values({ user_id: userId, kind: 'routers' }).execute()
    await become(FAILED)
    await after(1)
    expect(await after(10)).toEqual([])
    const row = await db.selectFrom('routers').select('trouble_emailed_at').where('id', '=', router.id).execute()
    expect(row).toEqual([{ trouble_emailed_at: moment(11) }])
  })
})

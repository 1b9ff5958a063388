import type { UserId } from '../kernel/ids.ts'
import { accountIdOf } from '../platform/db/testing.ts'
import { describe, expect, it } from 'vitest'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { HypervisorError } from '../drivers/hypervisor/index.ts'
import { writeBillingStatus } from '../accounts/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { routersApi } from './contract.ts'
import { routerUsagePeriods } from './usage-periods.ts'
import { suspensionReconciler } from './suspension-job.ts'
import { createRoutersTestApp } from './testing.ts'

const testApp = await createRoutersTestApp()
const { db, hypervisor } = testApp
let orders = 0

async function running(user?: Awaited<ReturnType<typeof testApp.addUser>>) {
  const owner = user ?? (await testApp.addUser())
  const router = await testApp.order(owner.id, { name: `life-${++orders}` })
  await testApp.settle(router.id)
  return { owner, router, url: `/api/virtual_machines/${router.id}` }
}
const act = async (of: Awaited<ReturnType<typeof running>>, action: string) => {
  const answer = await of.owner.call('POST', `${of.url}/actions`, { action })
  expect(answer.status).toBe(202)
  return answer.body
}
const usagePeriodsOf = (userId: number) =>
  routerUsagePeriods(db, accountIdOf(userId), new Date(0), new Date(Date.now() + 1000))

describe('a router', () => {
  it('is created step by step until its guest answers', async () => {
    const { owner, router, url } = await running()
    const { body } = await owner.call('GET', url)
    expect(body).toMatchObject({ state: 'RUNNING', failure: null, configuration: { current: true, error: null } })
    expect(body.steps.map((step: { name: string }) => step.name)).toEqual(['address', 'disk', 'boot', 'reachable'])
    const times = body.steps.map((step: { at: string }) => step.at)
    expect(times).toEqual(times.toSorted())
    expect(await hypervisor.state(router.uuid)).toBe('running')
    expect(await usagePeriodsOf(owner.id)).toMatchObject([{ routerId: router.id, planSlug: 'lark', endedAt: null }])
  })

  it('tells customers each state that it comes to, once and in order', async () => {
    const made = await running()
    await act(made, 'reboot')
    await testApp.settle(made.router.id)
    await made.owner.call('DELETE', made.url)
    await testApp.settle(made.router.id)
    const events = await db
      .selectFrom('outgoing_events')
      .select(['type', 'data'])
      .where('subject_type', '=', 'router')
      .where('subject_id', '=', made.router.id)
      .orderBy('id')
      .execute()
    const changes = events.map(({ type, data }) => (type === 'router.state_changed' ? data : type))
    expect(changes).toEqual([
      'router.created',
      { from: 'CREATING', to: 'RUNNING' },
      { from: 'RUNNING', to: 'REBOOTING' },
      { from: 'REBOOTING', to: 'RUNNING' },
      { from: 'RUNNING', to: 'DELETING' },
      'router.deleted',
    ])
  })

  it('costs nothing before it was reachable', async () => {
    const owner = await testApp.addUser()
    await testApp.order(owner.id, { name: 'never-ran' })
    expect(await usagePeriodsOf(owner.id)).toEqual([])
  })

  it('costs nothing when it is deleted in the moment in which it answers for the first time', async () => {
    const owner = await testApp.addUser()
    const router = await testApp.order(owner.id, { name: 'deleted-early' })
    const deletedMeanwhile: Hypervisor = {
      ...hypervisor,
      guest: (uuid) => ({
        ...hypervisor.guest(uuid),
        ping: async () => {
          await hypervisor.guest(uuid).ping()
          await owner.call('DELETE', `/api/virtual_machines/${router.id}`)
        },
      }),
    }
    await testApp.settle(router.id, deletedMeanwhile)
    expect(await testApp.stateOf(router.id)).toBe('GONE')
    expect((await usagePeriodsOf(owner.id)).filter((usagePeriod) => usagePeriod.endedAt === null)).toEqual([])
  })

  it.each([
    ['shutdown', 'STOPPING', 'STOPPED', 'off'],
    ['stop', 'STOPPING', 'STOPPED', 'off'],
    ['reboot', 'REBOOTING', 'RUNNING', 'running'],
    ['reset', 'REBOOTING', 'RUNNING', 'running'],
    ['reinstall', 'REINSTALLING', 'RUNNING', 'running'],
  ])('told to %s is %s and ends %s', async (action, during, after, machine) => {
    const of = await running()
    expect((await act(of, action)).state).toBe(during)
    await testApp.settle(of.router.id)
    expect(await testApp.stateOf(of.router.id)).toBe(after)
    expect(await hypervisor.state(of.router.uuid)).toBe(machine)
  })

  it('starts again after it was shut down', async () => {
    const of = await running()
    await act(of, 'shutdown')
    await testApp.settle(of.router.id)
    expect((await act(of, 'start')).state).toBe('STARTING')
    await testApp.settle(of.router.id)
    expect(await testApp.stateOf(of.router.id)).toBe('RUNNING')
  })

  it('loses what was on its disk when it is reinstalled, and keeps it over a reboot', async () => {
    const of = await running()
    await hypervisor.guest(of.router.uuid).writeFile('/root/notes', 'keep me')
    const notes = async () => (await hypervisor.guest(of.router.uuid).exec(['cat', '/root/notes'])).stdout
    await act(of, 'reboot')
    await testApp.settle(of.router.id)
    expect(await notes()).toBe('keep me')
    await act(of, 'reinstall')
    await testApp.settle(of.router.id)
    expect(await notes()).toBe('')
  })

  it('takes a larger plan while it is stopped, refuses one while it runs, and is charged for each in its time', async () => {
    const of = await running()
    expect((await of.owner.call('PATCH', of.url, { plan: 'swift' })).status).toBe(409)
    await act(of, 'stop')
    await testApp.settle(of.router.id)
    const resized = await of.owner.call('PATCH', of.url, { plan: 'swift' })
    expect(resized).toMatchObject({ status: 200, body: { state: 'RESIZING', plan: 'swift', memory: 512 } })
    await testApp.settle(of.router.id)
    expect(await testApp.stateOf(of.router.id)).toBe('STOPPED')
    expect(await usagePeriodsOf(of.owner.id)).toMatchObject([
      { planSlug: 'lark', endedAt: expect.any(Date) },
      { planSlug: 'swift', endedAt: null },
    ])
    const smaller = await of.owner.call('PATCH', of.url, { plan: 'lark' })
    expect(smaller).toMatchObject({ status: 422, body: { errors: [{ field: 'plan' }] } })
  })

  it('is renamed and not absent while a change of its plan is written', async () => {
    const of = await running()
    await act(of, 'stop')
    await testApp.settle(of.router.id)
    const changes = [{ plan: 'swift' }, { name: 'renamed-1' }, { name: 'renamed-2' }, { name: 'renamed-3' }]
    const responses = await Promise.all(changes.map((change) => of.owner.call('PATCH', of.url, change)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('is gone with machine, address and name once it is deleted, and its last hour is still known', async () => {
    const of = await running()
    const deleted = await of.owner.call('DELETE', of.url)
    expect(deleted).toMatchObject({ status: 202, body: { state: 'DELETING', allowedActions: [] } })
    // Its name is free at once, its address only when nothing can use it any more.
    const heir = await testApp.order(of.owner.id, { name: of.router.name })
    expect(heir.address4).not.toBe(of.router.address4)
    await testApp.settle(of.router.id)
    expect((await of.owner.call('GET', of.url)).status).toBe(404)
    expect(await hypervisor.state(of.router.uuid)).toBe('absent')
    expect((await testApp.order(of.owner.id, { name: 'after' })).address4).toBe(of.router.address4)
    expect(await usagePeriodsOf(of.owner.id)).toMatchObject([{ routerId: of.router.id, endedAt: expect.any(Date) }])
  })

  it('gets the routing configuration that others contribute while it runs', async () => {
    const of = await running()
    testApp.contributed.set(of.router.id, {
      birdConf: 'protocol static lh_origin4 {\n  ipv4;\n}\n',
      allowedSources: ['45.30.10.0/24'],
    })
    await testApp.settle(of.router.id)
    const { stdout } = await hypervisor.guest(of.router.uuid).exec(['cat', '/etc/vr/bird.conf'])
    expect(stdout).toContain('lh_origin4')
    expect(stdout).toContain(`router id ${of.router.address4};`)
  })

  it('a router that refuses a routing configuration says why, runs on, and keeps the one it had', async () => {
    const of = await running()
    const before = (await hypervisor.guest(of.router.uuid).exec(['cat', '/etc/vr/bird.conf'])).stdout
    testApp.contributed.set(of.router.id, { birdConf: 'protocol static {\n', allowedSources: [] })
    await testApp.settle(of.router.id)
    const { body } = await of.owner.call('GET', of.url)
    expect(body).toMatchObject({ state: 'RUNNING', configuration: { current: false } })
    expect(body.configuration.error).toContain('syntax error')
    expect((await hypervisor.guest(of.router.uuid).exec(['cat', '/etc/vr/bird.conf'])).stdout).toBe(before)
    testApp.contributed.delete(of.router.id)
    await testApp.settle(of.router.id)
    expect((await of.owner.call('GET', of.url)).body.configuration).toMatchObject({ current: true, error: null })
  })
})

describe('an account that is suspended', () => {
  it('has its routers stopped, and gets those back that it wanted to run', async () => {
    const of = await running()
    const stopped = await running(of.owner)
    await act(stopped, 'stop')
    await testApp.settle(stopped.router.id)
    const reconcile = suspensionReconciler({ db, clock: testApp.deps.clock })
    const setSuspended = async (suspended: boolean) => {
      await writeBillingStatus(db, SYSTEM, accountIdOf(of.owner.id), {
        suspended,
        reason: suspended ? 'An invoice is open.' : null,
      })
      expect(await reconcile.due()).toEqual([accountIdOf(of.owner.id)])
      await reconcile.reconcile(accountIdOf(of.owner.id), AbortSignal.timeout(5_000))
      for (const { router } of [of, stopped]) await testApp.settle(router.id)
    }
    await setSuspended(true)
    for (const { router } of [of, stopped]) expect(await testApp.stateOf(router.id)).toBe('SUSPENDED')
    expect((await of.owner.call('POST', `${of.url}/actions`, { action: 'start' })).status).toBe(409)
    await setSuspended(false)
    expect(await testApp.stateOf(of.router.id)).toBe('RUNNING')
    expect(await testApp.stateOf(stopped.router.id)).toBe('STOPPED')
  })
})

describe('an account that staff suspended', () => {
  const setSuspended = async (userId: UserId, suspended: boolean) => {
    await (
      suspended
        ? db.insertInto('account_suspensions').values({
            account_id: accountIdOf(userId),
            reason: 'Spam',
            suspended_by: userId,
            suspended_at: new Date(),
          })
        : db
            .updateTable('account_suspensions')
            .set({ lifted_by: userId, lifted_at: new Date(), lift_reason: 'Solved' })
            .where('account_id', '=', accountIdOf(userId))
    ).execute()
  }

  it('has its routers stopped, and an invoice that is paid does not start them', async () => {
    const of = await running()
    const reconcile = suspensionReconciler({ db, clock: testApp.deps.clock })
    const act = async () => {
      for (const id of await reconcile.due()) await reconcile.reconcile(id, AbortSignal.timeout(5_000))
      await testApp.settle(of.router.id)
      return testApp.stateOf(of.router.id)
    }
    const owe = (suspended: boolean) => writeBillingStatus(db, SYSTEM, accountIdOf(of.owner.id), { suspended })
    await setSuspended(of.owner.id, true)
    expect(await reconcile.due()).toEqual([accountIdOf(of.owner.id)])
    expect(await act()).toBe('SUSPENDED')
    expect(await reconcile.due()).toEqual([])
    await owe(true)
    await owe(false)
    expect(await act()).toBe('SUSPENDED')
    await owe(true)
    await setSuspended(of.owner.id, false)
    expect(await act()).toBe('SUSPENDED')
    await owe(false)
    expect(await act()).toBe('RUNNING')
  })

  it('is refused every change', async () => {
    const { call } = await testApp.addUser({ isSuspended: true })
    const changes = Object.entries(routersApi).filter(
      ([key, { access }]) => !key.startsWith('GET ') && access === 'verified',
    )
    expect(changes.length).toBeGreaterThan(5)
    for (const [key] of changes) {
      const [method, path] = key.split(' ') as [string, string]
      const answer = await call(method, path.replaceAll(/\{\w+\}/g, '1'), {})
      expect(answer, key).toMatchObject({ status: 403, body: { code: 'account_suspended_by_staff' } })
    }
    expect((await call('GET', '/api/virtual_machines')).status).toBe(200)
  })

  it('is refused what costs money also when staff ask for it', async () => {
    const of = await running()
    await act(of, 'stop')
    await testApp.settle(of.router.id)
    await setSuspended(of.owner.id, true)
    const { call } = await testApp.addUser({ isAdmin: true })
    const start = { action: 'start', reason: 'They asked for it.' }
    const answer = await call('POST', `/api/admin/virtual_machines/${of.router.id}/actions`, start)
    expect(answer).toMatchObject({ status: 403, body: { code: 'account_suspended_by_staff' } })
  })
})

describe('a hypervisor that fails', () => {
  const failing = (kind: 'refused' | 'no-space' | 'unreachable'): Hypervisor => ({
    ...hypervisor,
    start: () => Promise.reject(new HypervisorError(kind, 'qemu: cannot set up guest memory')),
  })

  it('leaves a FAILED router with words for its owner, the detail for staff, and a later attempt', async () => {
    const owner = await testApp.addUser()
    const staff = await testApp.addUser({ isAdmin: true })
    const router = await testApp.order(owner.id, { name: 'unlucky' })
    // It never settles while the host fails, so it is advanced once, not driven to the end.
    await expect(testApp.settle(router.id, failing('no-space'))).rejects.toThrow('did not settle')
    const { body } = await owner.call('GET', `/api/virtual_machines/${router.id}`)
    expect(body).toMatchObject({ state: 'FAILED', allowedActions: expect.arrayContaining(['start', 'delete']) })
    expect(body.failure).toBe(
      'The router could not be started: its host has no space left. It is retried automatically.',
    )
    const seen = await staff.call('GET', `/api/admin/virtual_machines/${router.id}`)
    expect(seen.body.failureDetail).toContain('cannot set up guest memory')
    expect(seen.body.events.filter((event: { action: string }) => event.action === 'router.failed')).toHaveLength(1)
    await owner.call('POST', `/api/virtual_machines/${router.id}/actions`, { action: 'start' })
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
  })

  it('does not hold up what is asked for while a step fails', async () => {
    const made = await running()
    await hypervisor.stop(made.router.uuid, { mode: 'force' })
    const refusing: Hypervisor = {
      ...hypervisor,
      start: async () => {
        await made.owner.call('DELETE', made.url)
        throw new HypervisorError('refused', 'qemu: cannot set up guest memory')
      },
    }
    await testApp.settle(made.router.id, refusing)
    expect(await testApp.stateOf(made.router.id)).toBe('GONE')
  })

  it('fails a router that ran, and its audit log says when it works again', async () => {
    const made = await running()
    await hypervisor.stop(made.router.uuid, { mode: 'force' })
    await expect(testApp.settle(made.router.id, failing('refused'))).rejects.toThrow('did not settle')
    expect(await testApp.stateOf(made.router.id)).toBe('FAILED')
    await db
      .updateTable('routers')
      .set({ retry_at: null, due_at: new Date() })
      .where('id', '=', made.router.id)
      .execute()
    await testApp.settle(made.router.id)
    expect(await testApp.stateOf(made.router.id)).toBe('RUNNING')
    const auditEvents = await db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_type', '=', 'router')
      .where('subject_id', '=', made.router.id)
      .orderBy('id')
      .execute()
    expect(auditEvents.map(({ action }) => action).filter((action) => /failed|recovered/.test(action))).toEqual([
      'router.failed',
      'router.recovered',
    ])
  })

  it('is not taken for a failed router while it cannot be reached', async () => {
    const owner = await testApp.addUser()
    const router = await testApp.order(owner.id, { name: 'cut-off' })
    await expect(testApp.settle(router.id, failing('unreachable'))).rejects.toThrow(HypervisorError)
    expect(await testApp.stateOf(router.id)).toBe('CREATING')
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
  })
})

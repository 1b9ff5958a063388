import { accountIdOf } from '../platform/db/testing.ts'
import { describe, expect, it } from 'vitest'
import { writeBillingStatus } from '../accounts/index.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { manualClock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import { purgeDeleted } from './deletion.ts'
import { countRouters, findRouters, ownsRouters } from './directory.ts'
import { routerReconciler } from './reconciler.ts'
import { routerUsagePeriods } from './usage-periods.ts'
import { createRoutersTestApp } from './testing.ts'

const HOUR = 3_600_000
const clock = manualClock('2026-03-02T10:00:00Z')
const testApp = await createRoutersTestApp({ clock, graceMs: 72 * HOUR })
const { db, hypervisor } = testApp
let orders = 0

async function running(user?: Awaited<ReturnType<typeof testApp.addUser>>) {
  const owner = user ?? (await testApp.addUser())
  const router = await testApp.order(owner.id, { name: `kept-${++orders}` })
  await testApp.settle(router.id)
  const url = `/api/virtual_machines/${router.id}`
  return { owner, router, url }
}

type Of = Awaited<ReturnType<typeof running>>

async function deleted(user?: Of['owner']) {
  const of = await running(user)
  const answer = await of.owner.call('DELETE', of.url)
  expect(answer.status).toBe(202)
  await testApp.settle(of.router.id)
  return { ...of, answer: answer.body }
}

const restore = (of: Of, body: object = {}) => of.owner.call('POST', `${of.url}/restore`, body)
const usagePeriodsOf = (userId: number) =>
  routerUsagePeriods(db, accountIdOf(userId), new Date(0), new Date(clock.now().getTime() + 1))
const actionsOf = async (id: number): Promise<string[]> => {
  const lines = await db
    .selectFrom('audit_events')
    .select('action')
    .where('subject_type', '=', 'router')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
  return lines.map(({ action }) => action)
}
const due = () => routerReconciler(testApp.deps).due()

describe('a router that is deleted where deletions can be taken back', () => {
  it('is stopped at once, says until when it can be restored, and keeps disk, addresses and place', async () => {
    const of = await deleted()
    const purgeAt = new Date(clock.now().getTime() + 72 * HOUR).toISOString()
    expect(of.answer).toMatchObject({ state: 'DELETING', purgeAt, allowedActions: ['restore'] })
    expect(await hypervisor.state(of.router.uuid)).toBe('off')
    const listed = (await of.owner.call('GET', '/api/virtual_machines')).body
    expect(listed).toMatchObject([{ id: of.router.id, state: 'DELETING', purgeAt }])
    const heir = await testApp.order(of.owner.id, { name: of.router.name })
    expect(heir.address4).not.toBe(of.router.address4)
  })

  it('costs nothing from the moment it is deleted, and is charged again from the moment it is restored', async () => {
    const of = await deleted()
    const deletedAt = clock.now()
    clock.advance(5 * HOUR)
    expect((await restore(of)).status).toBe(202)
    expect(await usagePeriodsOf(of.owner.id)).toMatchObject([
      { endedAt: deletedAt },
      { startedAt: clock.now(), endedAt: null },
    ])
  })

  it('comes back as it was, with what was on its disk, and says so in the audit log', async () => {
    const of = await running()
    await hypervisor.guest(of.router.uuid).writeFile('/root/notes', 'keep me')
    await of.owner.call('DELETE', of.url)
    await testApp.settle(of.router.id)
    expect((await restore(of)).body).toMatchObject({ state: 'STARTING', purgeAt: null })
    await testApp.settle(of.router.id)
    expect(await testApp.stateOf(of.router.id)).toBe('RUNNING')
    expect((await hypervisor.guest(of.router.uuid).exec(['cat', '/root/notes'])).stdout).toBe('keep me')
    expect((await testApp.row(of.router.id))?.address4).toBe(of.router.address4)
    expect((await actionsOf(of.router.id)).slice(-2)).toEqual(['router.delete_requested', 'router.restored'])
  })

  it('comes back stopped when it was stopped', async () => {
    const of = await running()
    await of.owner.call('POST', `${of.url}/actions`, { action: 'stop' })
    await testApp.settle(of.router.id)
    await of.owner.call('DELETE', of.url)
    await testApp.settle(of.router.id)
    await restore(of)
    await testApp.settle(of.router.id)
    expect(await testApp.stateOf(of.router.id)).toBe('STOPPED')
  })

  it('is restored once, however often that is asked, and one that is not deleted stays as it is', async () => {
    const of = await deleted()
    for (const _ of [1, 2]) expect((await restore(of)).status).toBe(202)
    await testApp.settle(of.router.id)
    expect((await restore(of)).body).toMatchObject({ state: 'RUNNING' })
    expect((await actionsOf(of.router.id)).filter((action) => action === 'router.restored')).toHaveLength(1)
    expect(await usagePeriodsOf(of.owner.id)).toHaveLength(2)
  })

  it('is gone when its time is over, and not a moment earlier', async () => {
    const of = await deleted()
    clock.advance(72 * HOUR - 1)
    // The routine check finds nothing to do.
    await testApp.settle(of.router.id)
    expect(await testApp.stateOf(of.router.id)).toBe('DELETING')
    expect(await due()).not.toContain(of.router.id)
    clock.advance(1)
    expect(await due()).toContain(of.router.id)
    await testApp.settle(of.router.id)
    expect(await testApp.stateOf(of.router.id)).toBe('GONE')
    expect(await hypervisor.state(of.router.uuid)).toBe('absent')
    expect((await restore(of)).status).toBe(404)
    expect((await actionsOf(of.router.id)).at(-1)).toBe('router.deleted')
  })

  it('is not restored once its removal has begun: a disk that is going is not promised to anyone', async () => {
    const of = await deleted()
    clock.advance(72 * HOUR)
    const answers: number[] = []
    const asked: Hypervisor = {
      ...hypervisor,
      remove: async (uuid) => {
        answers.push((await restore(of)).status)
        await hypervisor.remove(uuid)
      },
    }
    await testApp.settle(of.router.id, asked)
    expect(answers).toEqual([409])
    expect(await testApp.stateOf(of.router.id)).toBe('GONE')
  })

  it('a router that is restored while the worker is about to give it up stays', async () => {
    const of = await deleted()
    clock.advance(72 * HOUR)
    let asked = false
    const late: Hypervisor = {
      ...hypervisor,
      state: async (uuid) => {
        // After the row was read and before the step is written.
        if (!asked) expect((await restore(of)).status).toBe(202)
        asked = true
        return hypervisor.state(uuid)
      },
    }
    await testApp.settle(of.router.id, late)
    expect(await testApp.stateOf(of.router.id)).toBe('RUNNING')
  })

  it('continues to its end wherever the worker was killed', async () => {
    class InjectedCrash extends Error {}
    for (const when of ['before', 'after'] as const) {
      const of = await deleted()
      clock.advance(72 * HOUR)
      const crashing: Hypervisor = {
        ...hypervisor,
        remove: async (uuid) => {
          if (when === 'after') await hypervisor.remove(uuid)
          throw new InjectedCrash()
        },
      }
      await expect(testApp.settle(of.router.id, crashing)).rejects.toThrow(InjectedCrash)
      expect(await due()).toContain(of.router.id)
      await testApp.settle(of.router.id)
      expect(await testApp.stateOf(of.router.id)).toBe('GONE')
      expect(await hypervisor.state(of.router.uuid)).toBe('absent')
    }
  })

  it('gives its name away at once, and takes another when it comes back to find it taken', async () => {
    const of = await deleted()
    await testApp.order(of.owner.id, { name: of.router.name })
    expect(await restore(of)).toMatchObject({ status: 422, body: { errors: [{ field: 'name' }] } })
    expect(await restore(of, { name: 'second-life' })).toMatchObject({ status: 202, body: { name: 'second-life' } })
  })

  it('is restored by who can pay for it, and by staff for who cannot yet', async () => {
    const of = await deleted()
    const staff = await testApp.addUser({ isAdmin: true })
    await writeBillingStatus(db, SYSTEM, accountIdOf(of.owner.id), { suspended: true, reason: 'An invoice is open.' })
    expect(await restore(of)).toMatchObject({ status: 402, body: { detail: 'An invoice is open.' } })
    const answer = await staff.call('POST', `/api/admin/virtual_machines/${of.router.id}/restore`, {})
    expect(answer).toMatchObject({ status: 202, body: { purgeAt: null } })
    const sentEmails = await db
      .selectFrom('outgoing_mail')
      .select('subject')
      .where('user_id', '=', of.owner.id)
      .execute()
    expect(sentEmails.map(({ subject }) => subject)).toEqual([
      `Router ${of.router.name} deleted, restorable until ${of.answer.purgeAt.slice(0, 10)}`,
      `Your router ${of.router.name} was restored`,
    ])
  })

  it("is not another's to restore", async () => {
    const of = await deleted()
    const other = await testApp.addUser()
    expect((await other.call('POST', `${of.url}/restore`, {})).status).toBe(404)
    expect((await other.call('POST', `/api/admin/virtual_machines/${of.router.id}/restore`, {})).status).toBe(403)
  })

  it('carries no sessions, bills no one, and still counts among what a new account may have', async () => {
    const of = await deleted()
    expect(await findRouters(db, [of.router.id])).toEqual([])
    expect(await ownsRouters(db, accountIdOf(of.owner.id))).toBe(false)
    expect(await countRouters(db, accountIdOf(of.owner.id))).toBe(1)
    await restore(of)
    expect(await findRouters(db, [of.router.id])).toHaveLength(1)
    expect(await countRouters(db, accountIdOf(of.owner.id))).toBe(1)
  })

  it('goes at once when its account closes', async () => {
    const of = await deleted()
    await purgeDeleted(db, accountIdOf(of.owner.id), clock.now())
    expect(await due()).toContain(of.router.id)
    await testApp.settle(of.router.id)
    expect(await testApp.stateOf(of.router.id)).toBe('GONE')
  })

  it('a router that never came to be is restored, and charged from when it answers', async () => {
    const owner = await testApp.addUser()
    const router = await testApp.order(owner.id, { name: `kept-${++orders}` })
    const of = { owner, router, url: `/api/virtual_machines/${router.id}` }
    await owner.call('DELETE', of.url)
    await testApp.settle(router.id)
    await restore(of)
    expect(await usagePeriodsOf(owner.id)).toEqual([])
    await testApp.settle(router.id)
    expect(await usagePeriodsOf(owner.id)).toMatchObject([{ endedAt: null }])
  })
})

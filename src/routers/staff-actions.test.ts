import { accountIdOf } from '../platform/db/testing.ts'
import { describe, expect, it } from 'vitest'
import { readAuditLog } from '../accounts/audit-log.ts'
import { STAFF_POWER_ACTIONS } from './states.ts'
import { createRoutersTestApp } from './testing.ts'

const testApp = await createRoutersTestApp()
const owner = await testApp.addUser()
const staff = await testApp.addUser({ isAdmin: true })
const REASON = 'It did not answer since noon.'
const at = (id: number, what = 'actions') => `/api/admin/virtual_machines/${id}/${what}`
const running = async (name: string) => {
  const router = await testApp.order(owner.id, { name })
  await testApp.settle(router.id)
  return router.id as number
}
const activity = async () => (await readAuditLog(testApp.db, accountIdOf(owner.id), { limit: 5 })).events

describe('staff', () => {
  it('reboot a router with a reason, which its owner reads', async () => {
    const id = await running('rebooted')
    const answer = await staff.call('POST', at(id), { action: 'reboot', reason: REASON })
    expect(answer).toMatchObject({ status: 202, body: { state: 'REBOOTING' } })
    expect((await activity())[0]).toMatchObject({
      action: 'router.action_requested',
      by: 'staff',
      ip: null,
      data: { name: 'rebooted', action: 'reboot', reason: REASON },
    })
    await testApp.settle(id)
    expect((await owner.call('GET', `/api/virtual_machines/${id}`)).body.state).toBe('RUNNING')
  })

  it('shut a router down and start it again', async () => {
    const id = await running('stopped')
    expect((await staff.call('POST', at(id), { action: 'shutdown', reason: REASON })).status).toBe(202)
    await testApp.settle(id)
    expect((await owner.call('GET', `/api/virtual_machines/${id}`)).body.state).toBe('STOPPED')
    expect(await staff.call('POST', at(id), { action: 'reboot', reason: REASON })).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    })
    expect((await staff.call('POST', at(id), { action: 'start', reason: REASON })).status).toBe(202)
  })

  it('never reinstall, and give a reason for the rest', async () => {
    const id = await running('kept')
    const refused = async (body: object, field: string) =>
      expect(await staff.call('POST', at(id), body)).toMatchObject({ status: 422, body: { errors: [{ field }] } })
    await refused({ action: 'reinstall', reason: REASON }, 'action')
    for (const action of STAFF_POWER_ACTIONS) await refused({ action }, 'reason')
    await refused({ action: 'reboot', reason: 'short' }, 'reason')
  })

  it('alone may, and find nothing where there is no router', async () => {
    const id = await running('roles')
    const body = { action: 'reboot', reason: REASON }
    expect(await owner.call('POST', at(id), body)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    const protect = { protected: true, reason: REASON }
    expect((await owner.call('PUT', at(id, 'deletion_protection'), protect)).status).toBe(403)
    expect((await staff.call('POST', at(8_388_607), body)).status).toBe(404)
    expect((await staff.call('PUT', at(8_388_607, 'deletion_protection'), protect)).status).toBe(404)
  })

  it('protect a router, which no one deletes or reinstalls until that is switched off', async () => {
    const id = await running('precious')
    const one = `/api/virtual_machines/${id}`
    const protect = (on: boolean) =>
      staff.call('PUT', at(id, 'deletion_protection'), { protected: on, reason: 'The customer asked for it.' })
    expect(await protect(true)).toMatchObject({ status: 200, body: { deleteProtected: true, state: 'RUNNING' } })
    expect((await activity())[0]).toMatchObject({
      action: 'router.protection_changed',
      data: { protected: true, reason: 'The customer asked for it.' },
    })
    const count = (await activity())[0]!.id
    await protect(true)
    expect((await activity())[0]!.id).toBe(count)
    const denied = { status: 409, body: { code: 'deletion_protected' } }
    expect(await owner.call('DELETE', one)).toMatchObject(denied)
    expect(await owner.call('POST', `${one}/actions`, { action: 'reinstall' })).toMatchObject(denied)
    expect((await owner.call('POST', `${one}/actions`, { action: 'reboot' })).status).toBe(202)
    expect(await owner.call('PATCH', one, { deleteProtected: false })).toMatchObject({
      status: 200,
      body: { deleteProtected: false },
    })
    expect((await owner.call('DELETE', one)).status).toBe(202)
  })

  it('protect no router of another customer for a customer', async () => {
    const id = await running('foreign')
    const other = await testApp.addUser()
    expect((await other.call('PATCH', `/api/virtual_machines/${id}`, { deleteProtected: true })).status).toBe(404)
  })
})

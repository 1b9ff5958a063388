import { describe, expect, it } from 'vitest'
import { ALLOWED_IN, POWER_ACTIONS } from './states.ts'
import { ORDER, createRoutersTestApp } from './testing.ts'

const testApp = await createRoutersTestApp()
const owner = await testApp.addUser()
const otherUser = await testApp.addUser()
const unverified = await testApp.addUser({ verified: false })
const staff = await testApp.addUser({ isAdmin: true })
const router = await testApp.order(owner.id, { name: 'border' })
await testApp.settle(router.id)
const one = `/api/virtual_machines/${router.id}`

/**
 * Request, body, then the statuses for the owner, another customer, one without a verified ASN, and an anonymous
 * caller.
 */
const MATRIX: [string, string, unknown, [number, number, number, number]][] = [
  ['GET', '/api/catalogue', undefined, [200, 200, 200, 401]],
  ['GET', '/api/virtual_machines', undefined, [200, 200, 403, 401]],
  ['GET', one, undefined, [200, 404, 403, 401]],
  ['GET', `${one}/metrics`, undefined, [200, 404, 403, 401]],
  ['PATCH', one, { name: 'renamed' }, [200, 404, 403, 401]],
  ['POST', `${one}/actions`, { action: 'start' }, [409, 404, 403, 401]],
  ['POST', `${one}/serial`, {}, [201, 404, 403, 401]],
  ['POST', `${one}/display`, {}, [201, 404, 403, 401]],
  ['GET', `/api/admin/virtual_machines/${router.id}`, undefined, [403, 403, 403, 401]],
  ['PATCH', `/api/admin/hypervisors/${testApp.hypervisorId}`, { drained: true }, [403, 403, 403, 401]],
  ['DELETE', `/api/admin/hypervisors/${testApp.hypervisorId}`, undefined, [403, 403, 403, 401]],
  ['GET', '/api/virtual_machines/999999999', undefined, [404, 404, 403, 401]],
  ['GET', '/api/virtual_machines/first', undefined, [404, 404, 403, 401]],
  ['DELETE', one, undefined, [202, 404, 403, 401]],
]

describe('who is answered what', () => {
  // Strangers first: after the owner's request there may be nothing left to find.
  it.each(MATRIX)('%s %s', async (method, url, body, [own, another, without, nobody]) => {
    expect((await testApp.call(null, method, url, body)).status).toBe(nobody)
    expect((await unverified.call(method, url, body)).status).toBe(without)
    expect((await otherUser.call(method, url, body)).status).toBe(another)
    expect((await owner.call(method, url, body)).status).toBe(own)
  })

  it('shows staff the owner, the hypervisor and what happened', async () => {
    const { status, body } = await staff.call('GET', `/api/admin/virtual_machines/${router.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ user: { id: owner.id, firstName: 'Ann' }, hypervisor: { driver: 'simulated' } })
    expect(body.events.map((event: { action: string }) => event.action)).toEqual(
      expect.arrayContaining(['router.created', 'router.reachable', 'router.renamed', 'router.delete_requested']),
    )
  })

  it('lists to each customer its own routers alone', async () => {
    await testApp.order(otherUser.id, { name: 'theirs' })
    const { body } = await owner.call('GET', '/api/virtual_machines')
    expect(body.map((entry: { name: string }) => entry.name)).toEqual(['renamed'])
  })

  it('names everything that is wrong with a change at once, and nothing of another customer’s router', async () => {
    const { id } = await testApp.order(otherUser.id, { name: 'changing' })
    await testApp.order(otherUser.id, { name: 'taken' })
    const change = async (caller: typeof owner, body: object) =>
      (await caller.call('PATCH', `/api/virtual_machines/${id}`, body)).body.errors?.map(
        (error: { field: string }) => error.field,
      )
    expect(await change(otherUser, { name: '-', plan: 'none' })).toEqual(['name', 'plan'])
    expect(await change(otherUser, { name: 'taken', plan: 'none' })).toEqual(['name', 'plan'])
    expect(await change(owner, { name: '-', plan: 'none' })).toEqual(['name'])
    expect(await change(owner, { name: 'taken', plan: 'none' })).toBeUndefined()
  })

  it('lets staff drain a hypervisor and open it again', async () => {
    const url = `/api/admin/hypervisors/${testApp.hypervisorId}`
    expect(await staff.call('PATCH', url, { drained: true })).toMatchObject({ status: 200, body: { drained: true } })
    expect((await owner.call('GET', '/api/catalogue')).body.sites).toMatchObject([{ available: false }])
    expect(await staff.call('PATCH', url, { drained: false })).toMatchObject({ status: 200, body: { drained: false } })
    expect((await staff.call('PATCH', '/api/admin/hypervisors/77', { drained: false })).status).toBe(404)
  })
})

describe('an action', () => {
  it('an action that the state does not allow is 409, names the state, and changes nothing', async () => {
    const { id, generation } = await testApp.order(owner.id, { name: 'young' })
    for (const action of POWER_ACTIONS) {
      const answer = await owner.call('POST', `/api/virtual_machines/${id}/actions`, { action })
      expect(ALLOWED_IN[action]).not.toContain('CREATING')
      expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('CREATING') } })
    }
    expect((await testApp.row(id))!.generation).toBe(generation)
  })

  it('an unknown action is 422 and names the known ones', async () => {
    const answer = await owner.call('POST', `${one}/actions`, { action: 'explode' })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'action' }] } })
    expect(answer.body.errors[0].message).toContain('reinstall')
  })

  it('asked for twice with one key happens once', async () => {
    const csrf = (await testApp.app.inject({ url: '/api/catalogue', cookies: { session: owner.token } })).cookies[0]!
      .value
    const order = () =>
      testApp.app.inject({
        method: 'POST',
        url: '/api/virtual_machines',
        cookies: { session: owner.token },
        headers: { 'x-csrf-token': csrf, 'idempotency-key': 'once' },
        payload: { ...ORDER, name: 'once' },
      })
    const [first, second] = await Promise.all([order(), order()])
    expect(first.statusCode).toBe(202)
    expect(second.json()).toEqual(first.json())
  })
})

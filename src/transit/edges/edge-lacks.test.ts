import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALL_CAPABILITIES } from '../../drivers/edge/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { explainSessionError } from '../../kernel/bgp-errors.ts'
import { publish } from '../../platform/events.ts'
import { encryptPassword } from '../connections/session-password.ts'
import { KEY_UNSUPPORTED } from '../sessions/session-job.ts'
import { LACK_TEXT } from '../states.ts'
import { eventually } from '../testing.ts'
import { transitWithWorker } from '../testing-worker.ts'

const capabilities = { ...ALL_CAPABILITIES, statics: false, md5: false, bfd: false, importLimit: false }
const testApp = await transitWithWorker(createSimulatedEdge({ sessionDelayMs: 0, capabilities }))
const { db, call } = testApp
let userId: number
let routerId: number

const connection = async () => (await call(userId, 'GET', '/api/transit_connection')).body
const refused = (field: string, message: string) => ({ status: 422, body: { errors: [{ field, message }] } })

describe('an edge whose product lacks static prefixes, MD5, BFD and a limit of accepted routes', () => {
  beforeAll(async () => {
    ;({ userId, routerId } = await testApp.addConnected(500_010))
    await eventually(async () => (await connection()).edge.lacks.length > 0)
  })

  test('says so to its customer, whose sessions come up', async () => {
    expect((await connection()).edge.lacks).toEqual(['statics', 'md5', 'bfd', 'importLimit'])
    await eventually(async () => (await connection()).sessions[0].state === 'ESTABLISHED')
  })

  test('shows no limit of accepted routes where it has none', async () => {
    const [session] = (await connection()).sessions
    expect(session).toMatchObject({ receiveLimit: 200, importLimit: null })
    const staff = await testApp.addUser({ isAdmin: true })
    const [listed] = (await call(staff, 'GET', '/api/admin/sessions')).body.sessions
    expect(listed).toMatchObject({ receiveLimit: 200, importLimit: null })
  })

  test('refuses a key, and the router that would move a connection with a key to it', async () => {
    const url = '/api/transit_connection'
    expect(await call(userId, 'PUT', url, { password: 'secret' })).toMatchObject(refused('password', LACK_TEXT.md5))
    expect(await call(userId, 'PUT', `${url}/password_change`, { password: 'secret' })).toMatchObject(
      refused('password', LACK_TEXT.md5),
    )
    expect((await call(userId, 'PUT', url, { routerId: null, password: 'secret' })).status).toBe(200)
    expect(await call(userId, 'PUT', url, { routerId })).toMatchObject(refused('routerId', LACK_TEXT.md5))
    expect((await call(userId, 'PUT', url, { routerId, password: null })).status).toBe(200)
  })

  test('is not given a site of a customer with a key, and the refusal names the customer', async () => {
    const staff = await testApp.addUser({ isAdmin: true })
    const { id: edgeId } = await db.selectFrom('transit_edges').select('id').executeTakeFirstOrThrow()
    const { site_id: site } = await db
      .selectFrom('routers')
      .select('site_id')
      .where('id', '=', routerId)
      .executeTakeFirstOrThrow()
    const other = { slug: 'other', name: 'Other', sites: [site] }
    expect((await call(staff, 'POST', '/api/admin/edges', other)).status).toBe(201)
    expect((await call(userId, 'PUT', '/api/transit_connection', { password: 'secret' })).status).toBe(200)
    const give = () => call(staff, 'PATCH', `/api/admin/edges/${edgeId}`, { sites: [site] })
    const { status, body } = await give()
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId as UserId)
      .executeTakeFirstOrThrow()
    expect({ status, detail: body.detail }).toEqual({ status: 409, detail: expect.stringContaining(`: ${email}. Ask`) })
    expect((await connection()).edge.name).toBe('Other')
    expect((await call(userId, 'PUT', '/api/transit_connection', { password: null })).status).toBe(200)
    expect((await give()).status).toBe(200)
    await eventually(async () => (await connection()).sessions[0].state === 'ESTABLISHED')
  })

  test('keeps the sessions of a key closed that it was given, which is no choice of the customer', async () => {
    const staff = await testApp.addUser({ isAdmin: true })
    const accountId = accountIdOf(userId)
    const { id } = await db
      .selectFrom('transit_connections')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    const setKey = async (password: string | null) => {
      const encrypted_password = password === null ? null : encryptPassword(testApp.deps, id, password)
      await db.updateTable('transit_connections').set({ encrypted_password }).where('id', '=', id).execute()
      await publish(db, { type: 'connection', id, accountId })
    }
    const lost = { state: 'IDLE', downSince: expect.any(String), lastError: KEY_UNSUPPORTED }
    await setKey('secret')
    await eventually(async () => (await connection()).sessions[0].state !== 'ESTABLISHED')
    expect((await connection()).sessions[0]).toMatchObject(lost)
    expect((await call(staff, 'GET', '/api/admin/sessions?status=DOWN')).body.sessions).toMatchObject(
      [4, 6].map(() => ({ state: 'IDLE', lastError: KEY_UNSUPPORTED, control: null })),
    )
    expect(explainSessionError(KEY_UNSUPPORTED)?.cause).toContain('does not support TCP MD5 keys')
    await setKey(null)
    await eventually(async () => (await connection()).sessions[0].state === 'ESTABLISHED')
  })

  test('refuses BFD, which can still be turned off', async () => {
    const url = '/api/transit_connection/sessions/4/bfd'
    expect(await call(userId, 'PUT', url, { enabled: true })).toMatchObject(refused('enabled', LACK_TEXT.bfd))
    await db
      .updateTable('transit_connections')
      .set({ bfd4: true })
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    expect((await call(userId, 'PUT', url, { enabled: false })).status).toBe(200)
  })

  test('refuses a prefix that it would originate, alone and in a list, and takes others', async () => {
    const body = { announcementType: 'STATIC' }
    expect(await call(userId, 'POST', '/api/transit_prefixes', { ...body, value: '45.30.90.0/24' })).toMatchObject(
      refused('announcementType', LACK_TEXT.statics),
    )
    expect(
      await call(userId, 'POST', '/api/transit_prefixes/bulk', { ...body, values: ['45.30.90.0/24'] }),
    ).toMatchObject(refused('announcementType', LACK_TEXT.statics))
    await testApp.request(userId, '45.30.90.0/24')
  })
})

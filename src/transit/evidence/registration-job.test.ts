import { afterAll, beforeEach, expect, test } from 'vitest'
import type { NetworkRecord } from '../../drivers/registry/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { checkReconciler } from '../prefixes/checks/check-job.ts'
import { createTransitTestApp } from '../testing.ts'
import { registrationReconciler } from './registration-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, registry } = testApp
afterAll(() => testApp.close())
const staff = await testApp.addUser({ isAdmin: true })
const job = registrationReconciler(testApp.deps)
beforeEach(() => void (registry.unreachable = false))

const network = (more: Partial<NetworkRecord> = {}): NetworkRecord => ({
  registry: 'registry.test',
  handle: '45.48.1.0 - 45.48.1.255',
  name: 'KESTREL-NET',
  type: 'ASSIGNED PI',
  status: ['active'],
  registeredAt: new Date('2014-05-06T07:08:09Z'),
  changedAt: new Date('2026-10-01T12:00:00Z'),
  isPlaceholder: false,
  holder: 'Kestrel Networks',
  registrants: ['ORG-KN1-TEST'],
  contacts: [{ email: 'noc@kestrel.example', roles: ['technical'], source: 'KN2-TEST' }],
  remarks: [],
  ...more,
})
let asn = 1_400_000
let third = 0
async function request() {
  const value = `45.48.${++third}.0/24`
  const userId = await testApp.addUser({ asn: ++asn })
  const id = await testApp.request(userId, value)
  const { body } = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
  return { id, userId, asn, value, token: body.token as string }
}
const look = async (id: number) => {
  await db
    .updateTable('prefix_registrations')
    .set({ next_check_at: new Date(0) })
    .where('prefix_id', '=', id)
    .execute()
  expect(await job.due()).toContain(id)
  await job.reconcile(id, AbortSignal.timeout(5_000))
}
const view = async (id: number) => (await call(staff, 'GET', `/api/admin/transit_prefixes/${id}`)).body

test('staff read who holds the addresses, since when, and how old the domain of a contact is', async () => {
  const { id, value, userId } = await request()
  registry.networks.set(value, network())
  registry.domains.set('kestrel.example', new Date('2013-01-01T00:00:00Z'))
  expect((await view(id)).registration).toBeNull()
  await look(id)
  expect((await view(id)).registration).toMatchObject({
    registry: 'registry.test',
    holder: 'Kestrel Networks',
    type: 'ASSIGNED PI',
    status: ['active'],
    registeredAt: '2014-05-06T07:08:09.000Z',
    changedAt: '2026-10-01T12:00:00.000Z',
    contacts: [{ email: 'noc@kestrel.example', roles: ['technical'], domainRegisteredAt: '2013-01-01T00:00:00.000Z' }],
  })
  // Only staff see the email addresses of contacts.
  const own = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
  expect(JSON.stringify(own.body)).not.toContain('kestrel.example')
  expect(await job.due()).not.toContain(id)
})

test('the organisation that holds the verified ASN as well is medium evidence; one of the same name is none', async () => {
  const same = await request()
  registry.networks.set(same.value, network())
  registry.autnums.set(same.asn, ['ORG-KN1-TEST'])
  await look(same.id)
  expect((await view(same.id)).evidence).toMatchObject([
    { kind: 'rdap_holder', source: 'registry.test', strength: 'medium', current: true },
  ])
  const other = await request()
  registry.networks.set(other.value, network({ registry: 'elsewhere.test' }))
  registry.autnums.set(other.asn, ['ORG-KN1-TEST'])
  await look(other.id)
  expect((await view(other.id)).evidence).toEqual([])
})

test('the token in the remarks proves the request, in whole words and for this account alone', async () => {
  const one = await request()
  const other = await request()
  expect(one.token).toMatch(/^longhaul-verify=[0-9a-f]{30}$/)
  expect(other.token).not.toBe(one.token)
  for (const remarks of [[`x${one.token}`], [other.token], [one.token.slice(0, -1)]]) {
    registry.networks.set(one.value, network({ remarks }))
    await look(one.id)
    expect((await view(one.id)).evidence).toEqual([])
  }
  registry.networks.set(one.value, network({ remarks: ['Kestrel', `owner: ${one.token.toUpperCase()}`] }))
  await look(one.id)
  expect(await view(one.id)).toMatchObject({
    evidence: [{ kind: 'inetnum_remark', strength: 'strong' }],
    proven: true,
  })
  registry.networks.set(other.value, network({ type: 'ASSIGNED PA', remarks: [other.token] }))
  await look(other.id)
  expect(await view(other.id)).toMatchObject({
    evidence: [{ kind: 'inetnum_remark', strength: 'medium' }],
    proven: false,
  })
})

test('a block of the registry itself proves nothing', async () => {
  const { id, value, asn, token } = await request()
  registry.autnums.set(asn, ['ORG-KN1-TEST'])
  registry.networks.set(value, network({ isPlaceholder: true, remarks: [token] }))
  await look(id)
  expect(await view(id)).toMatchObject({ evidence: [], registration: { placeholder: true } })
})

test('a silent registry keeps its last answer and ends no evidence', async () => {
  const { id, value, asn } = await request()
  registry.networks.set(value, network())
  registry.autnums.set(asn, ['ORG-KN1-TEST'])
  await look(id)
  registry.unreachable = true
  await look(id)
  expect(await view(id)).toMatchObject({
    evidence: [{ kind: 'rdap_holder' }],
    registration: { holder: 'Kestrel Networks', error: 'registry.test cannot be reached.' },
  })
})

const never = (_: unknown, signal?: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))

test('a domain registry that never answers costs the date alone', async () => {
  const { id, value } = await request()
  registry.networks.set(value, network())
  const slow = registrationReconciler({ ...testApp.deps, registry: { ...registry, domainRegisteredAt: never } })
  await slow.reconcile(id, AbortSignal.timeout(30_000))
  expect((await view(id)).registration).toMatchObject({
    holder: 'Kestrel Networks',
    error: null,
    contacts: [{ email: 'noc@kestrel.example', domainRegisteredAt: null }],
  })
})

test('a registry that takes too long is said to be silent, and a worker that stops is not', async () => {
  const { id } = await request()
  const late = () => Promise.reject(new DOMException('signal timed out', 'TimeoutError'))
  const slow = registrationReconciler({ ...testApp.deps, registry: { ...registry, network: late } })
  await expect(slow.reconcile(id, AbortSignal.abort())).rejects.toThrow()
  expect((await view(id)).registration).toBeNull()
  await slow.reconcile(id, AbortSignal.timeout(5_000))
  expect((await view(id)).registration).toMatchObject({
    answeredAt: null,
    error: 'The registry took longer than 15 s.',
  })
})

test('addresses that change hands lose what their former holder proved, and the token changes', async () => {
  const { id, value, token } = await request()
  registry.networks.set(value, network({ remarks: [token] }))
  await look(id)
  expect((await view(id)).proven).toBe(true)
  registry.networks.set(value, network({ registrants: ['ORG-NEW-TEST'], remarks: [token] }))
  await look(id)
  const after = await view(id)
  expect(after).toMatchObject({ evidence: [], proven: false })
  expect(after.token).not.toBe(token)
})

test.each([
  ['of an approved prefix end what it was approved on: it is warned of, and staff hear of it', true],
  ['change nothing of what staff approved on their own reason', false],
])('addresses that change hands %s', async (_, onEvidence) => {
  const { id, value, asn: holder } = await request()
  registry.networks.set(value, network())
  if (onEvidence) registry.autnums.set(holder, ['ORG-KN1-TEST'])
  await look(id)
  const check = () => checkReconciler(testApp.deps).reconcile(id, AbortSignal.timeout(10_000))
  await check()
  const approve = { reason: 'Contract of May.' }
  const { body } = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, approve)
  expect(body.status).toBe('APPROVED')
  registry.networks.set(value, network({ registrants: ['ORG-NEW-TEST'], holder: 'Another Ltd' }))
  await look(id)
  await check()
  const { attention, status } = await view(id)
  expect(status).toBe('APPROVED')
  expect(attention === null).toBe(!onEvidence)
  if (onEvidence) expect(attention).toContain('another holder')
  const sent = await testApp.emails(staff)
  expect(sent.some(({ subject }) => subject === `${value} has another holder`)).toBe(onEvidence)
})

test('an event of a prefix asks about that one alone, and not again', async () => {
  const [one, other] = [await request(), await request()]
  const event = { type: 'prefix', id: one.id, accountId: null } as const
  expect(job.wakes(event)).toEqual({ perhaps: one.id })
  expect(await job.due([one.id])).toEqual([one.id])
  expect(await job.due()).toEqual(expect.arrayContaining([one.id, other.id]))
  await look(one.id)
  expect(await job.due([one.id])).toEqual([])
})

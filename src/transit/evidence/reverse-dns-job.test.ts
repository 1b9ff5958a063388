import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { DnsError, type DnssecStatus } from '../../drivers/dns/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { askForReverseDns, reverseDnsReconciler } from './reverse-dns-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, dns } = testApp
afterAll(() => testApp.close())
const staff = await testApp.addUser({ isAdmin: true })
let later = 0
const deps = { ...testApp.deps, clock: { now: () => new Date(Date.now() + later) } }
const job = reverseDnsReconciler(deps)
beforeEach(() => {
  dns.zones.clear()
  dns.failure = null
  later = 0
})

const HOUR_MS = 3_600_000
let third = 0
let asn = 1_600_000
async function request(value = `45.49.${++third}.0/24`) {
  const userId = await testApp.addUser({ asn: ++asn })
  const id = await testApp.request(userId, value)
  const { body } = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
  return { id, userId, value, token: body.token as string, reverseDns: body.reverseDns }
}
const look = (id: number) => job.reconcile(id, AbortSignal.timeout(5_000))
const view = async (id: number) => (await call(staff, 'GET', `/api/admin/transit_prefixes/${id}`)).body
const publish = (names: readonly string[], records: string[], dnssec: DnssecStatus = 'INSECURE') =>
  names.forEach((name) => dns.zones.set(name, { records, dnssec }))
const namesOf = ({ reverseDns }: Awaited<ReturnType<typeof request>>): string[] =>
  reverseDns.records.map(({ name }: { name: string }) => name)

test('the customer reads which record goes into which zone, and that no one has looked yet', async () => {
  const one = await request('45.49.252.0/23')
  expect(one.reverseDns).toEqual({
    value: one.token,
    records: ['252', '253'].map((octet) => ({
      name: `_longhaul-challenge.${octet}.49.45.in-addr.arpa`,
      state: null,
      dnssec: null,
      detail: null,
    })),
    checkedAt: null,
    nextCheckAt: null,
  })
  expect((await view(one.id)).dnsResolver).toEqual({ kind: 'simulated', server: 'dns.test' })
})

test('a token in a signed zone is strong evidence and closes the space', async () => {
  const one = await request()
  expect(await job.due()).toContain(one.id)
  publish(namesOf(one), ['v=spf1 -all', one.token], 'SECURE')
  await look(one.id)
  expect(await view(one.id)).toMatchObject({
    proven: true,
    evidence: [{ kind: 'reverse_dns', strength: 'strong', source: namesOf(one)[0]!.replace(/^[^.]+\./, '') }],
    reverseDns: { records: [{ state: 'FOUND', dnssec: 'SECURE', detail: null }] },
  })
  expect(await job.due()).not.toContain(one.id)
})

test('a token in an unsigned zone counts once it has been there for an hour', async () => {
  const one = await request()
  publish(namesOf(one), [one.token])
  await look(one.id)
  expect((await view(one.id)).evidence).toMatchObject([{ strength: 'weak' }])
  later = HOUR_MS / 2
  publish(namesOf(one), [])
  await look(one.id)
  later = HOUR_MS + 60_000
  publish(namesOf(one), [one.token])
  await look(one.id)
  expect((await view(one.id)).evidence).toMatchObject([{ strength: 'weak' }])
  later = 2 * HOUR_MS + 60_000
  await look(one.id)
  expect(await view(one.id)).toMatchObject({ evidence: [{ strength: 'medium' }], proven: false })
})

test('a token in an unsigned zone that only one resolver has seen stays weak', async () => {
  const one = await request()
  const [name] = namesOf(one)
  dns.zones.set(name!, { records: [one.token], resolvers: 1 })
  await look(one.id)
  later = 2 * HOUR_MS
  await look(one.id)
  const { evidence } = await view(one.id)
  expect(evidence).toMatchObject([{ strength: 'weak', seen: expect.stringContaining('only one resolver was heard') }])
})

test('every zone of the space has to have it, and one unsigned zone makes all of it unsigned', async () => {
  const one = await request('45.49.248.0/23')
  const [first, second] = namesOf(one) as [string, string]
  publish([first], [one.token], 'SECURE')
  await look(one.id)
  expect(await view(one.id)).toMatchObject({
    evidence: [],
    reverseDns: { records: [{ state: 'FOUND' }, { state: 'MISSING', detail: 'There is no TXT record yet.' }] },
  })
  publish([second], [one.token])
  await look(one.id)
  expect((await view(one.id)).evidence).toMatchObject([{ strength: 'weak' }])
})

const other = await request()
describe('is not the token:', () => {
  test.each<readonly [string, (token: string) => { records?: string[]; alias?: boolean }]>([
    ['that of another customer', () => ({ records: [other.token] })],
    ['a part of it', (token) => ({ records: [token.slice(0, -1)] })],
    ['the token inside a longer text', (token) => ({ records: [`x${token}`, `${token} ${token}`] })],
    ['an alias to a name that has it', () => ({ records: [], alias: true })],
  ])('%s', async (_, answer) => {
    const one = await request()
    dns.zones.set(namesOf(one)[0]!, answer(one.token))
    await look(one.id)
    expect(await view(one.id)).toMatchObject({ evidence: [], reverseDns: { records: [{ state: 'MISSING' }] } })
  })
})

test('a silent resolver, or wrong signatures, end nothing and say so', async () => {
  const one = await request()
  publish(namesOf(one), [one.token], 'SECURE')
  await look(one.id)
  dns.failure = new DnsError('bogus', 'The DNSSEC signatures of the zone are wrong (bogus).')
  await look(one.id)
  expect(await view(one.id)).toMatchObject({
    evidence: [{ strength: 'strong', current: true }],
    reverseDns: { records: [{ state: 'UNKNOWN', detail: 'The DNSSEC signatures of the zone are wrong (bogus).' }] },
  })
})

test('one zone that does not answer keeps the evidence from being renewed', async () => {
  const one = await request('45.49.240.0/23')
  publish(namesOf(one), [one.token], 'SECURE')
  await look(one.id)
  const { evidence: before } = await view(one.id)
  later = 24 * HOUR_MS
  dns.zones.set(namesOf(one)[1]!, new DnsError('timeout', 'The resolver took longer than 3 s.'))
  await look(one.id)
  expect((await view(one.id)).evidence).toEqual(before)
})

test('a token that is gone counts for thirty days more', async () => {
  const one = await request()
  publish(namesOf(one), [one.token], 'SECURE')
  await look(one.id)
  dns.zones.clear()
  await look(one.id)
  const { evidence } = await view(one.id)
  expect(evidence).toMatchObject([{ current: true }])
  const days = (Date.parse(evidence[0].expiresAt) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThan(30.1)
})

test('the customer may ask for another look, though not all the time', async () => {
  const one = await request()
  await look(one.id)
  await askForReverseDns(db, one.id, deps.clock.now())
  expect(await job.due()).not.toContain(one.id)
  later = 60_000
  await askForReverseDns(db, one.id, deps.clock.now())
  expect(await job.due()).toContain(one.id)
})

test('a prefix of too many zones is never looked for', async () => {
  const one = await request('45.58.0.0/17')
  expect(one.reverseDns).toBeNull()
  expect(await job.due()).not.toContain(one.id)
})

test('only names in the reverse zones of the prefix are asked for', async () => {
  const one = await request('45.49.244.0/22')
  dns.asked.length = 0
  await look(one.id)
  expect(dns.asked).toEqual(namesOf(one))
})

test('an event of a prefix asks about that one alone, and not again', async () => {
  const [one, other] = [await request(), await request()]
  expect(job.wakes({ type: 'prefix', id: one.id, accountId: null })).toEqual({ perhaps: one.id })
  expect(await job.due([one.id])).toEqual([one.id])
  expect(await job.due()).toEqual(expect.arrayContaining([one.id, other.id]))
  await look(one.id)
  expect(await job.due([one.id])).toEqual([])
})

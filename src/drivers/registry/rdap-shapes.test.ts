/** Contacts of an AS number in each registry's format: registries differ where RFC 9083 leaves a choice. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../kernel/clock.ts'
import { provesNumber } from './index.ts'
import { createRdap } from './rdap.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: object
}

/** Answers by path; `asked` keeps the order, `atOnce` the highest number of concurrent requests. */
async function registry(routes: Record<string, Reply>) {
  const seen = { asked: [] as string[], atOnce: 0 }
  let open = 0
  const server = createServer((request, response) => {
    seen.asked.push(request.url!)
    seen.atOnce = Math.max(seen.atOnce, ++open)
    const { status = 200, headers = {}, body = {} } = routes[request.url!] ?? { status: 404 }
    setTimeout(() => {
      open--
      response.writeHead(status, headers).end(JSON.stringify(body))
    }, 5)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = manualClock('2026-11-20T12:00:00Z')
  const rdap = createRdap({ base, clock })
  cleanups.push(async () => {
    await rdap.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { rdap, seen, routes, clock, base }
}

const jcard = (fn: string, kind: string, email?: string) => [
  'vcard',
  [
    ['version', {}, 'text', '4.0'],
    ['fn', {}, 'text', fn],
    ['kind', {}, 'text', kind],
    ...(email === undefined ? [] : [['email', {}, 'text', email]]),
  ],
]
const entity = (handle: string, roles: string[] | undefined, card?: unknown, entities?: object[]) => ({
  objectClassName: 'entity',
  handle,
  ...(roles && { roles }),
  ...(card !== undefined && { vcardArray: card }),
  ...(entities && { entities }),
})
const autnum = (entities: object[], more: object = {}) => ({
  objectClassName: 'autnum',
  handle: 'AS500010',
  startAutnum: 500_010,
  endAutnum: 500_010,
  entities,
  ...more,
})

/** Since February 2024 related entities have a name and a phone number, but no email: only the abuse contact does. */
const RIPE = autnum(
  [
    entity('ORG-KN1-RIPE', ['registrant'], jcard('Kestrel Networks BV', 'org')),
    entity('KESTREL-MNT', ['registrant'], jcard('KESTREL-MNT', 'individual')),
    entity('RIPE-NCC-END-MNT', ['registrant'], jcard('RIPE-NCC-END-MNT', 'individual')),
    entity('KN2-RIPE', ['technical', 'administrative'], jcard('Kestrel NOC', 'group')),
    entity('KA1-RIPE', ['abuse'], jcard('Kestrel abuse', 'group', 'abuse@kestrel.example')),
  ],
  { port43: 'whois.ripe.net' },
)
const RIPE_ENTITIES = {
  '/entity/ORG-KN1-RIPE': {
    body: entity('ORG-KN1-RIPE', [], jcard('Kestrel Networks BV', 'org', 'org@kestrel.example')),
  },
  '/entity/KN2-RIPE': { body: entity('KN2-RIPE', [], jcard('Kestrel NOC', 'group', 'noc@kestrel.example')) },
  '/entity/KESTREL-MNT': { body: entity('KESTREL-MNT', [], jcard('KESTREL-MNT', 'individual', 'mnt@other.example')) },
}
/** Points of contact are inside the organization, with their email. */
const ARIN = autnum(
  [
    entity('PLOVE-7', ['registrant'], jcard('Plover Inc.', 'org'), [
      entity('NOC99-ARIN', ['administrative', 'technical'], jcard('Plover NOC', 'group', 'noc@plover.example')),
      entity('ABUSE9-ARIN', ['abuse'], jcard('Plover abuse', 'group', 'abuse@plover.example')),
      entity('HM7-ARIN', ['administrative'], jcard('Plover hostmaster', 'individual')),
    ]),
  ],
  { port43: 'whois.arin.net' },
)
const APNIC = autnum(
  [
    entity('ORG-SPL1-AP', ['registrant'], jcard('Siskin Pty Ltd', 'org', 'admin@siskin.example')),
    entity('IRT-SISKIN-AU', ['abuse'], jcard('IRT-SISKIN-AU', 'group', 'abuse@siskin.example')),
    entity('SN1-AP', ['administrative', 'technical'], jcard('Siskin NOC', 'group', 'noc@siskin.example')),
  ],
  { port43: 'whois.apnic.net' },
)
/** The person appears twice: as a bare handle inside the organization, and with the email next to it. */
const LACNIC = autnum(
  [
    entity('UY-GASA-LACNIC', ['registrant'], jcard('Gavilan SA', 'org'), [entity('GAV3', ['administrative'])]),
    entity('GAV3', ['technical', 'abuse'], jcard('Ana Gavilan', 'individual', 'redes@gavilan.example')),
  ],
  { port43: 'whois.lacnic.net' },
)
/** Old responses contain no roles. */
const AFRINIC = autnum([entity('ORG-HL1-AFRINIC', undefined, jcard('ORG-HL1-AFRINIC', 'org', 'noc@hoopoe.example'))], {
  port43: 'whois.afrinic.net',
})

describe('the contacts of a number', () => {
  test('the contacts at RIPE are asked for where the answer has a name and no email, and never at maintainers', async () => {
    const { rdap, seen } = await registry({ '/autnum/500010': { body: RIPE }, ...RIPE_ENTITIES })
    const record = await rdap.autnum(500_010)
    expect(record?.holder).toBe('Kestrel Networks BV')
    expect(record?.contacts).toEqual([
      { email: 'org@kestrel.example', roles: ['registrant'], source: 'ORG-KN1-RIPE' },
      { email: 'noc@kestrel.example', roles: ['technical', 'administrative'], source: 'KN2-RIPE' },
      { email: 'abuse@kestrel.example', roles: ['abuse'], source: 'KA1-RIPE' },
    ])
    expect(seen.asked).toEqual(['/autnum/500010', '/entity/ORG-KN1-RIPE', '/entity/KN2-RIPE'])
    expect(seen.atOnce).toBe(1)
  })

  test('the contacts at ARIN are those inside the organisation, asked for where one lacks its email', async () => {
    const { rdap, seen } = await registry({
      '/autnum/500010': { body: ARIN },
      '/entity/HM7-ARIN': { body: entity('HM7-ARIN', [], jcard('Plover', 'individual', 'hm@plover.example')) },
    })
    expect((await rdap.autnum(500_010))?.contacts.map(({ email }) => email)).toEqual([
      'noc@plover.example',
      'abuse@plover.example',
      'hm@plover.example',
    ])
    expect(seen.asked).toEqual(['/autnum/500010', '/entity/PLOVE-7', '/entity/HM7-ARIN'])
  })

  test('the contacts at APNIC need no further question', async () => {
    const { rdap, seen } = await registry({ '/autnum/500010': { body: APNIC } })
    const record = await rdap.autnum(500_010)
    expect(record?.contacts.filter(provesNumber).map(({ email }) => email)).toEqual([
      'admin@siskin.example',
      'noc@siskin.example',
    ])
    expect(seen.asked).toEqual(['/autnum/500010'])
  })

  test('the contacts at LACNIC are known where the same handle has its email elsewhere in the answer', async () => {
    const { rdap, seen } = await registry({ '/autnum/500010': { body: LACNIC } })
    expect((await rdap.autnum(500_010))?.contacts).toEqual([
      { email: 'redes@gavilan.example', roles: ['administrative', 'technical', 'abuse'], source: 'GAV3' },
    ])
    expect(seen.asked).toEqual(['/autnum/500010', '/entity/UY-GASA-LACNIC'])
  })

  test('the contacts at AFRINIC are read without roles', async () => {
    const { rdap } = await registry({ '/autnum/500010': { body: AFRINIC } })
    expect((await rdap.autnum(500_010))?.contacts.filter(provesNumber)).toEqual([
      { email: 'noc@hoopoe.example', roles: [], source: 'ORG-HL1-AFRINIC' },
    ])
  })

  test('the contacts that are asked for are each asked for once, at most twelve, and not where the only role is abuse', async () => {
    const entities = Array.from({ length: 40 }, (_, at) =>
      entity(`P${at % 20}`, at < 4 ? ['abuse'] : ['technical'], jcard('Somebody', 'individual')),
    ).toSpliced(20, 4)
    const { rdap, seen } = await registry({ '/autnum/500010': { body: autnum(entities) } })
    await rdap.autnum(500_010)
    expect(seen.asked.slice(1)).toEqual(Array.from({ length: 12 }, (_, at) => `/entity/P${at + 4}`))
  })
})

describe('a registry that limits requests', () => {
  const limited = { status: 429, headers: { 'retry-after': '120' } }

  test('leaves the contacts unknown, says for how long, and is left alone until then', async () => {
    const { rdap, seen, routes, clock } = await registry({
      '/autnum/500010': { body: RIPE },
      ...RIPE_ENTITIES,
      '/entity/ORG-KN1-RIPE': limited,
    })
    const record = await rdap.autnum(500_010)
    expect(record).toMatchObject({
      holder: 'Kestrel Networks BV',
      contactsUnknown: { kind: 'unreachable', retryAfter: 120, message: expect.stringMatching(/limits our requests/) },
    })
    expect(record?.contacts.filter(provesNumber)).toEqual([])
    expect(seen.asked).toEqual(['/autnum/500010', '/entity/ORG-KN1-RIPE'])
    clock.advance(60_000)
    await expect(rdap.autnum(500_010)).rejects.toMatchObject({ kind: 'unreachable', retryAfter: 60 })
    expect(seen.asked).toHaveLength(2)
    Object.assign(routes, RIPE_ENTITIES)
    clock.advance(60_000)
    const later = await rdap.autnum(500_010)
    expect(later?.contacts).toHaveLength(3)
    expect(later?.contactsUnknown).toBeUndefined()
  })

  test('leaves those that are known already, once one of them can prove the number', async () => {
    const { rdap } = await registry({
      '/autnum/500010': { body: RIPE },
      ...RIPE_ENTITIES,
      '/entity/KN2-RIPE': { status: 429, headers: { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' } },
    })
    const record = await rdap.autnum(500_010)
    expect(record?.contacts.filter(provesNumber)).toHaveLength(1)
    expect(record?.contactsUnknown).toBeUndefined()
    await expect(rdap.autnum(500_010)).rejects.toMatchObject({ retryAfter: 30 })
  })

  test('may say so in a body with status 200', async () => {
    const { rdap } = await registry({
      '/autnum/500010': { body: RIPE },
      '/entity/ORG-KN1-RIPE': { body: { errorCode: 429, title: 'Query rate exceeded' } },
    })
    expect(await rdap.autnum(500_010)).toMatchObject({ contactsUnknown: { kind: 'unreachable', retryAfter: 60 } })
  })
})

test('a registry that switches protocols cannot be reached', async () => {
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
  const { rdap } = await registry({ '/autnum/500010': { status: 101, headers: upgrade } })
  await expect(rdap.autnum(500_010)).rejects.toMatchObject({ kind: 'unreachable' })
})

test('a contact whose only role is abuse does not prove a number', () => {
  const contact = (...roles: string[]) => ({ email: 'a@example.net', source: 'X', roles })
  expect(provesNumber(contact('abuse'))).toBe(false)
  expect(provesNumber(contact('Abuse', 'abuse'))).toBe(false)
  expect(provesNumber(contact('abuse', 'technical'))).toBe(true)
  expect(provesNumber(contact('registrant'))).toBe(true)
  expect(provesNumber(contact())).toBe(true)
})

test('entities are asked for at the registry that the number was redirected to', async () => {
  const { rdap, seen } = await registry({
    '/autnum/500010': { status: 302, headers: { location: '/other/autnum/500010' } },
    '/other/autnum/500010': { body: RIPE },
  })
  await rdap.autnum(500_010)
  expect(seen.asked.slice(2)).toEqual(['/other/entity/ORG-KN1-RIPE', '/other/entity/KN2-RIPE'])
})

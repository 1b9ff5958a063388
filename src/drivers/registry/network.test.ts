/** Blocks of addresses in each registry's format: registries differ where RFC 9083 leaves a choice. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../kernel/clock.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
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

async function server(routes: Record<string, Reply>) {
  const asked: string[] = []
  const http = createServer((request, response) => {
    asked.push(request.url!)
    const { status = 200, headers = {}, body = {} } = routes[request.url!] ?? { status: 404 }
    response.writeHead(status, headers).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  cleanups.push(async () => {
    http.closeAllConnections()
    http.close()
    await once(http, 'close')
  })
  return { url, host: new URL(url).host, asked, routes }
}

async function registry(routes: Record<string, Reply>) {
  const one = await server(routes)
  const rdap = createRdap({ base: one.url, clock: manualClock('2026-11-20T12:00:00Z') })
  cleanups.push(() => rdap.close())
  return { ...one, rdap }
}

const card = (fn: string, kind: string, email?: string) => [
  'vcard',
  [['fn', {}, 'text', fn], ['kind', {}, 'text', kind], ...(email === undefined ? [] : [['email', {}, 'text', email]])],
]
const entity = (handle: string, roles: string[] | undefined, vcardArray?: unknown, entities: object[] = []) => ({
  objectClassName: 'entity',
  handle,
  ...(roles && { roles }),
  ...(vcardArray !== undefined && { vcardArray }),
  entities,
})
const block = (startAddress: string, endAddress: string, more: object): Reply => ({
  body: { objectClassName: 'ip network', startAddress, endAddress, ...more },
})

const RIPE = block('45.30.10.0', '45.30.10.255', {
  handle: '45.30.10.0 - 45.30.10.255',
  name: 'KESTREL-NET',
  type: 'ASSIGNED PI',
  status: ['active'],
  entities: [
    entity('ORG-KN1-RIPE', ['registrant'], card('Kestrel Networks BV', 'org')),
    entity('KESTREL-MNT', ['registrant'], card('KESTREL-MNT', 'individual')),
    entity('RIPE-NCC-END-MNT', ['registrant'], card('RIPE-NCC-END-MNT', 'individual')),
    entity('KA1-RIPE', ['abuse'], card('Kestrel abuse', 'group', 'abuse@kestrel.example')),
  ],
  remarks: [{ description: ['Kestrel', 'longhaul-verify=mfrggzdfmztwq2lk'] }],
  events: [
    { eventAction: 'registration', eventDate: '2014-05-06T07:08:09Z' },
    { eventAction: 'last changed', eventDate: '2026-10-01T12:00:00Z' },
  ],
})
const ARIN = block('45.31.0.0', '45.31.3.255', {
  handle: 'NET-45-31-0-0-1',
  type: 'DIRECT ALLOCATION',
  entities: [
    entity('PLOVE-7', ['registrant'], card('Plover Inc.', 'org'), [
      entity('NOC99-ARIN', ['technical'], card('Plover NOC', 'group', 'noc@plover.example')),
    ]),
  ],
  remarks: [{ title: 'Registration Comments', description: ['longhaul-verify=mfrggzdfmztwq2lk'] }],
  events: [
    { eventAction: 'last changed', eventDate: '2024-03-19T09:14:03-04:00' },
    { eventAction: 'registration', eventDate: '2013-01-31T18:11:17-05:00' },
  ],
})
const LACNIC = block('45.33.4.0', '45.33.7.255', {
  handle: '45.33.4.0/22',
  type: 'allocated',
  cidr0_cidrs: [{ v4prefix: '45.33.4.0', length: '22' }],
  entities: [entity('UY-GASA-LACNIC', ['registrant'], card('Gavilan SA', 'org'))],
})
const AFRINIC = block('45.34.0.0', '45.34.2.255', {
  handle: '45.34.0.0 - 45.34.2.255',
  type: 'ASSIGNED PI',
  entities: [entity('ORG-HL1-AFRINIC', undefined, card('Hoopoe', 'org', 'noc@hoopoe.example'))],
  remarks: [{ title: 'Remark', description: ['longhaul-verify=mfrggzdfmztwq2lk'] }],
})

describe('a block of addresses', () => {
  test.each([
    ['RIPE, with maintainers as registrants', RIPE, '45.30.10.0/24', ['ORG-KN1-RIPE'], 'Kestrel Networks BV'],
    ['ARIN, with contacts inside the holder', ARIN, '45.31.2.0/24', ['PLOVE-7'], 'Plover Inc.'],
    ['LACNIC, with a length in text', LACNIC, '45.33.4.0/22', ['UY-GASA-LACNIC'], 'Gavilan SA'],
    ['AFRINIC, without roles and no CIDR', AFRINIC, '45.34.0.0/23', ['ORG-HL1-AFRINIC'], 'Hoopoe'],
  ] as const)('of %s names its holder', async (_, reply, prefix, registrants, holder) => {
    const { rdap, host } = await registry({ [`/ip/${prefix}`]: reply })
    const found = await rdap.network(parsePrefix(prefix))
    expect(found).toMatchObject({ registry: host, registrants, holder, isPlaceholder: false })
  })

  test('has its dates in either spelling of time, its remarks and its contacts', async () => {
    const { rdap } = await registry({ '/ip/45.31.0.0/22': ARIN })
    expect(await rdap.network(parsePrefix('45.31.0.0/22'))).toMatchObject({
      registeredAt: new Date('2013-01-31T23:11:17Z'),
      changedAt: new Date('2024-03-19T13:14:03Z'),
      remarks: ['longhaul-verify=mfrggzdfmztwq2lk'],
      contacts: [{ email: 'noc@plover.example', roles: ['technical'], source: 'NOC99-ARIN' }],
    })
  })

  test.each([
    ['0.0.0.0', '255.255.255.255', 'IANA-BLK', ['active']],
    ['45.0.0.0', '45.255.255.255', 'X', ['active']],
    ['45.0.0.0', '45.127.255.255', 'NON-RIPE-NCC-MANAGED-ADDRESS-BLOCK', ['active']],
    ['45.30.0.0', '45.30.255.255', 'X', ['reserved']],
  ])('a block from %s to %s, %s, %s is no one’s', async (from, to, name, status) => {
    const holder = entity('ORG-EVIL-RIPE', ['registrant'], card('Evil', 'org', 'evil@evil.example'))
    const remarks = [{ description: ['longhaul-verify=mfrggzdfmztwq2lk'] }]
    const { rdap } = await registry({
      '/ip/45.30.10.0/24': block(from, to, { name, status, entities: [holder], remarks }),
    })
    expect(await rdap.network(parsePrefix('45.30.10.0/24'))).toMatchObject({
      isPlaceholder: true,
      holder: null,
      registrants: [],
      contacts: [],
      remarks: [],
    })
  })

  test('a block that does not hold all of the prefix is an answer to another question', async () => {
    const { rdap } = await registry({ '/ip/45.30.10.0/23': RIPE })
    await expect(rdap.network(parsePrefix('45.30.10.0/23'))).rejects.toThrow('other addresses')
  })

  test('a block that is not registered is null, and an error in a body with 200 is none', async () => {
    const { rdap } = await registry({ '/ip/45.33.9.0/24': { body: { errorCode: 404, title: 'Not found' } } })
    expect(await rdap.network(parsePrefix('45.30.99.0/24'))).toBeNull()
    expect(await rdap.network(parsePrefix('45.33.9.0/24'))).toBeNull()
  })

  test('is not "unregistered" where the registry limits our requests', async () => {
    const { rdap } = await registry({ '/ip/45.30.10.0/24': { status: 429, headers: { 'retry-after': '120' } } })
    await expect(rdap.network(parsePrefix('45.30.10.0/24'))).rejects.toMatchObject({ retryAfter: 120 })
  })

  test('is followed to the registry that has it, which is the one that is named', async () => {
    const { rdap, url, host, routes, asked } = await registry({ '/other/ip/45.30.10.0/24': RIPE })
    routes['/ip/45.30.10.0/24'] = { status: 301, headers: { location: `${url}/other/ip/45.30.10.0/24` } }
    expect(await rdap.network(parsePrefix('45.30.10.0/24'))).toMatchObject({
      registry: host,
      handle: RIPE.body!['handle' as never],
    })
    expect(asked).toEqual(['/ip/45.30.10.0/24', '/other/ip/45.30.10.0/24'])
  })

  test('is asked for at the server of the longest block that the bootstrap names', async () => {
    const one = await server({ '/a/ip/45.30.10.0/24': RIPE, '/b/ip/45.30.10.0/24': ARIN })
    one.routes['/ipv4.json'] = {
      body: {
        services: [
          [['45.0.0.0/8'], [`${one.url}/b/`]],
          [['45.30.0.0/16'], [`${one.url}/a/`]],
          [['45.30.0.0/12', 'rubbish'], [`${one.url}/b/`]],
        ],
      },
    }
    const rdap = createRdap({ bootstrap: `${one.url}/asn.json` })
    cleanups.push(() => rdap.close())
    expect((await rdap.network(parsePrefix('45.30.10.0/24')))?.handle).toBe('45.30.10.0 - 45.30.10.255')
    await expect(rdap.network(parsePrefix('193.0.0.0/21'))).rejects.toMatchObject({ kind: 'no-service' })
  })
})

test('the holder of a number is named without a look-up of its entities', async () => {
  const { rdap, host, asked } = await registry({
    '/autnum/500010': {
      body: {
        objectClassName: 'autnum',
        handle: 'AS500010',
        startAutnum: 500_010,
        endAutnum: 500_010,
        entities: (RIPE.body as { entities: object[] }).entities,
        events: [{ eventAction: 'last changed', eventDate: '2024-03-19T13:14:03Z' }],
      },
    },
  })
  expect(await rdap.autnumHolder(500_010)).toEqual({
    registry: host,
    registrants: ['ORG-KN1-RIPE'],
    changedAt: new Date('2024-03-19T13:14:03Z'),
  })
  expect(asked).toEqual(['/autnum/500010'])
})

test('the date of a domain is that of the registered domain that a mailbox is a part of', async () => {
  const events = [{ eventAction: 'registration', eventDate: '2014-05-06T07:08:09Z' }]
  const { rdap, asked } = await registry({
    '/domain/kestrel.example': { body: { objectClassName: 'domain', ldhName: 'kestrel.example', events } },
  })
  expect(await rdap.domainRegisteredAt('noc.mail.kestrel.example')).toEqual(new Date('2014-05-06T07:08:09Z'))
  expect(asked).toEqual(['/domain/noc.mail.kestrel.example', '/domain/mail.kestrel.example', '/domain/kestrel.example'])
  expect(await rdap.domainRegisteredAt('example')).toBeNull()
})

describe('the contacts of a block', () => {
  const path = '/ip/45.30.10.0/24'
  const bare = (more: object[] = []) =>
    block('45.30.10.0', '45.30.10.255', {
      handle: '45.30.10.0 - 45.30.10.255',
      entities: [
        entity('ORG-KN1-RIPE', ['registrant'], card('Kestrel Networks BV', 'org')),
        entity('KN2-RIPE', ['technical'], card('Kestrel NOC', 'group')),
        entity('KA1-RIPE', ['abuse'], card('Kestrel abuse', 'group', 'abuse@kestrel.example')),
        ...more,
      ],
    })

  test('are looked up where the answer about the block leaves their emails out', async () => {
    const { rdap, asked } = await registry({
      [path]: bare(),
      '/entity/KN2-RIPE': { body: entity('KN2-RIPE', [], card('Kestrel NOC', 'group', 'noc@kestrel.example')) },
    })
    const found = await rdap.networkContacts(parsePrefix('45.30.10.0/24'))
    expect(found?.contacts).toEqual([
      { email: 'noc@kestrel.example', roles: ['technical'], source: 'KN2-RIPE' },
      { email: 'abuse@kestrel.example', roles: ['abuse'], source: 'KA1-RIPE' },
    ])
    expect(asked).toEqual([path, '/entity/ORG-KN1-RIPE', '/entity/KN2-RIPE'])
    asked.length = 0
    await rdap.network(parsePrefix('45.30.10.0/24'))
    expect(asked).toEqual([path])
  })

  test('are unknown, and not none, while the registry does not give them out', async () => {
    const { rdap } = await registry({ [path]: bare(), '/entity/KN2-RIPE': { status: 503 } })
    const found = await rdap.networkContacts(parsePrefix('45.30.10.0/24'))
    expect(found?.contactsUnknown).toMatchObject({ kind: 'unreachable' })
  })

  test('the contacts of a block of the registry itself are never asked for', async () => {
    const reserved = block('45.0.0.0', '45.255.255.255', { entities: [entity('KN2-RIPE', ['technical'])] })
    const { rdap, asked } = await registry({ [path]: reserved })
    expect(await rdap.networkContacts(parsePrefix('45.30.10.0/24'))).toMatchObject({
      isPlaceholder: true,
      contacts: [],
    })
    expect(asked).toEqual([path])
  })
})

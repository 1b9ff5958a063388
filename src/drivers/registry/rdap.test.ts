import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startRdap } from '../../../lab/sources/rdap.ts'
import { manualClock } from '../../kernel/clock.ts'
import { isPublicAddress } from './fetch-json.ts'
import type { Registry } from './index.ts'
import { createRdap, type RdapOptions } from './rdap.ts'

const DATA = join(import.meta.dirname, '../../../lab/data/rdap.json')
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function open(options: RdapOptions): Registry {
  const registry = createRdap(options)
  cleanups.push(() => registry.close())
  return registry
}

async function laboratory() {
  const server = await startRdap({ file: DATA })
  cleanups.push(() => server.close())
  return `http://127.0.0.1:${server.port}`
}

type Routes = Record<string, unknown>

/**
 * A server with responses by path: an object is sent as JSON, a number as a status, and a function handles everything.
 */
async function madeUp(routes: Routes) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const answer = routes[request.url!] ?? 404
    if (typeof answer === 'function')
      (answer as (request: IncomingMessage, response: ServerResponse) => void)(request, response)
    else if (typeof answer === 'number') response.writeHead(answer).end()
    else response.end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const card = (email: string, fn = 'Somebody') => [
  'vcard',
  [
    ['fn', {}, 'text', fn],
    ['email', {}, 'text', email],
  ],
]
const autnum = (rest: object = {}) => ({
  objectClassName: 'autnum',
  handle: 'AS500010',
  startAutnum: 500_010,
  endAutnum: 500_010,
  ...rest,
})

describe('the record of a number', () => {
  it('names the holder, the contacts with their roles, and the remarks', async () => {
    expect(await open({ base: await laboratory() }).autnum(500_010)).toEqual({
      asn: 500_010,
      handle: 'AS500010',
      holder: 'Kestrel Networks',
      registrants: ['ORG-KESTREL'],
      contacts: [
        { email: 'noc@as500010.example', roles: ['technical', 'noc'], source: 'KESTREL-NOC' },
        { email: 'abuse@as500010.example', roles: ['abuse'], source: 'KESTREL-ABUSE' },
        { email: 'hostmaster@as500010.example', roles: ['administrative'], source: 'KESTREL-ADMIN' },
      ],
      remarks: ['Kestrel Networks serves the islands.', 'NOC hours: 24x7'],
      changedAt: null,
    })
  })

  it('is filled in where contacts lack an email, and never with maintainers', async () => {
    const record = await open({ base: await laboratory() }).autnum(500_031)
    expect(record?.holder).toBe('Dunlin Hosting')
    expect(record?.contacts).toEqual([
      { email: 'hostmaster@as500031.example', roles: ['administrative'], source: 'DH1-LAB' },
      { email: 'noc@as500031.example', roles: ['technical'], source: 'DN1-LAB' },
      { email: 'abuse@as500031.example', roles: ['abuse'], source: 'DA1-LAB' },
    ])
  })

  it('is null for a number that the registry does not hold', async () => {
    expect(await open({ base: await laboratory() }).autnum(499_999)).toBeNull()
  })

  it('joins the roles of one address', async () => {
    const entities = [
      { handle: 'A', roles: ['technical'], vcardArray: card('NOC@example.net') },
      { handle: 'B', roles: ['abuse', 'technical'], vcardArray: card('noc@example.net') },
    ]
    const { base } = await madeUp({ '/autnum/500010': autnum({ name: 'KESTREL', entities }) })
    expect(await open({ base }).autnum(500_010)).toMatchObject({
      holder: 'KESTREL',
      contacts: [{ email: 'NOC@example.net', roles: ['technical', 'abuse'], source: 'A' }],
    })
  })

  it('has one contact less where an entity cannot be had, and says why when none is left that proves the number', async () => {
    const bare = [
      { handle: 'GONE', roles: ['technical'] },
      { handle: 'SLOW', roles: ['administrative'] },
    ]
    const noc = { handle: 'C', roles: ['noc'], vcardArray: card('noc@example.net') }
    const abuse = { handle: 'D', roles: ['abuse'], vcardArray: card('abuse@example.net') }
    const { base } = await madeUp({
      '/autnum/500010': autnum({ entities: [...bare, noc] }),
      '/autnum/500011': { ...autnum({ entities: [...bare, abuse] }), startAutnum: 500_011, endAutnum: 500_011 },
      '/entity/SLOW': 503,
    })
    const registry = open({ base })
    const complete = await registry.autnum(500_010)
    expect(complete?.contacts).toHaveLength(1)
    expect(complete?.contactsUnknown).toBeUndefined()
    expect((await registry.autnum(500_011))?.contactsUnknown).toMatchObject({ kind: 'unreachable' })
  })
})

describe('a hostile answer', () => {
  it.each([
    ['is about another number', autnum({ startAutnum: 1, endAutnum: 2 }), 'protocol'],
    ['is no AS number', { objectClassName: 'domain' }, 'protocol'],
    ['is no object', 'AS500010', 'protocol'],
    ['is no JSON', (_: unknown, response: ServerResponse) => response.end('<html>'), 'protocol'],
    ['asks to slow down', 429, 'unreachable'],
    ['is an error', 500, 'unreachable'],
    ['is a refusal', 403, 'protocol'],
    ['breaks off', (_: unknown, response: ServerResponse) => response.destroy(), 'unreachable'],
    ['is endless', flood, 'protocol'],
  ] as [string, unknown, string][])('that %s is refused', async (_what, answer, kind) => {
    const { base } = await madeUp({ '/autnum/500010': answer })
    await expect(open({ base }).autnum(500_010)).rejects.toMatchObject({ name: 'RegistryError', kind })
  })

  it('full of nonsense yields what of it makes sense', async () => {
    let nest: object = { handle: 'DEEP', roles: ['technical'], vcardArray: card('deep@example.net') }
    for (let depth = 0; depth < 50; depth++) nest = { handle: `D${depth}`, entities: [nest], vcardArray: ['vcard', []] }
    const entities = [
      nest,
      null,
      7,
      { handle: 5, roles: 'technical', vcardArray: card('odd@example.net') },
      { handle: 'X', roles: ['abuse'], vcardArray: card('a@example.net, b@example.org') },
      { handle: 'Y', roles: ['abuse'], vcardArray: card('a@example.net\r\nBcc: b@example.org') },
      { handle: 'Z', roles: ['noc'], vcardArray: ['vcard', [['email', {}, 'text', ['x']], 'email', []]] },
      { handle: '../autnum/1', roles: ['noc'] },
    ]
    const { base, asked } = await madeUp({ '/autnum/500010': autnum({ entities, remarks: [{ description: 4 }, {}] }) })
    const record = await open({ base }).autnum(500_010)
    expect(record?.contacts.map((contact) => contact.email)).toEqual(['odd@example.net'])
    const nested = ['/entity/D49', '/entity/D48', '/entity/D47', '/entity/D46']
    expect(asked).toEqual(['/autnum/500010', ...nested, '/entity/Z', '/entity/..%2Fautnum%2F1'])
  })

  it('an answer that never comes is given up', async () => {
    const { base } = await madeUp({ '/autnum/500010': () => undefined })
    await expect(open({ base, deadlineMs: 100 }).autnum(500_010)).rejects.toMatchObject({ kind: 'timeout' })
    const leaving = new AbortController()
    const left = open({ base }).autnum(500_010, leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
  })

  it('makes us ask for no more than a dozen contacts', async () => {
    const entities = Array.from({ length: 100 }, (_, at) => ({ handle: `H${at}`, roles: ['technical'] }))
    const { base, asked } = await madeUp({ '/autnum/500010': autnum({ entities }) })
    await open({ base }).autnum(500_010)
    expect(asked).toHaveLength(13)
  })
})

describe('redirects', () => {
  const to = (location: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location }).end()

  it('are followed within the configured server', async () => {
    const { base } = await madeUp({ '/autnum/500010': to('/other/500010'), '/other/500010': autnum() })
    expect(await open({ base }).autnum(500_010)).toMatchObject({ handle: 'AS500010' })
  })

  it('redirects in circles end', async () => {
    const { base, asked } = await madeUp({ '/autnum/500010': to('/autnum/500010') })
    await expect(open({ base }).autnum(500_010)).rejects.toThrow(/in circles/)
    expect(asked.length).toBeLessThan(10)
  })

  it.each([
    ['another port of this machine', (inside: string) => inside],
    ['this machine by name', (inside: string) => inside.replace('http://127.0.0.1', 'https://localhost')],
    ['this machine in IPv6', (inside: string) => inside.replace('http://127.0.0.1', 'https://[::1]')],
    ['this machine in disguise', (inside: string) => inside.replace('http://127.0.0.1', 'https://[::ffff:127.0.0.1]')],
    ['the metadata service of a cloud', () => 'https://169.254.169.254/latest'],
    ['a private network', () => 'https://10.0.0.1/'],
    ['a file', () => 'file:///etc/passwd'],
  ])('redirects to %s are refused', async (_what, target) => {
    const inside = await madeUp({ '/secret': autnum() })
    const { base } = await madeUp({ '/autnum/500010': to(target(`${inside.base}/secret`)) })
    await expect(open({ base }).autnum(500_010)).rejects.toMatchObject({ kind: 'protocol' })
    expect(inside.asked).toEqual([])
  })

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fe80::1',
    'fc00::1',
    '::ffff:8.8.8.8',
    'x',
  ])('know %s as an address that is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['193.0.6.139', '2001:67c:2e8:22::c100:697'])('know %s as public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('the bootstrap', () => {
  it('names the server of a number', async () => {
    const base = await laboratory()
    const registry = open({ bootstrap: `${base}/asn.json` })
    expect(await registry.autnum(500_020)).toMatchObject({ holder: 'Plover Broadband' })
    await expect(registry.autnum(64_000)).rejects.toMatchObject({ kind: 'no-service' })
  })

  it('is read once a day, and outlives a day on which it cannot be read', async () => {
    const clock = manualClock('2026-11-20T12:00:00Z')
    const routes: Routes = { '/autnum/500010': autnum() }
    const { base, asked } = await madeUp(routes)
    routes['/asn.json'] = { services: [[['500000-500099', 'x'], [base]]] }
    const registry = open({ bootstrap: `${base}/asn.json`, clock })
    await registry.autnum(500_010)
    await registry.autnum(500_010)
    expect(asked.filter((path) => path === '/asn.json')).toHaveLength(1)
    clock.advance(25 * 60 * 60 * 1000)
    routes['/asn.json'] = 500
    expect(await registry.autnum(500_010)).toMatchObject({ handle: 'AS500010' })
    expect(asked.filter((path) => path === '/asn.json')).toHaveLength(2)
  })

  it('cannot send us into our own network', async () => {
    const inside = await madeUp({ '/autnum/500010': autnum() })
    const { base } = await madeUp({ '/asn.json': { services: [[['1-600000'], [inside.base]]] } })
    await expect(open({ bootstrap: `${base}/asn.json` }).autnum(500_010)).rejects.toMatchObject({ kind: 'protocol' })
    expect(inside.asked).toEqual([])
  })

  it('a bootstrap of another form is refused', async () => {
    const { base } = await madeUp({ '/asn.json': { services: 'all' } })
    await expect(open({ bootstrap: `${base}/asn.json` }).autnum(1)).rejects.toThrow(/RFC 9224/)
  })
})

function flood(_request: IncomingMessage, response: ServerResponse): void {
  response.write('["')
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536))) continue
  }
  response.on('drain', more).on('error', () => response.destroy())
  more()
}

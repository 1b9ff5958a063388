import { once } from 'node:events'
import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { manualClock } from '../../../kernel/clock.ts'
import { parsePrefix } from '../../../kernel/prefix.ts'
import type { RpkiSource } from '../index.ts'
import { createJsonSource, type JsonSourceOptions } from './index.ts'

const NOW = '2026-11-20T12:00:00Z'
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function exportFile(content: unknown) {
  const directory = await mkdtemp(join(tmpdir(), 'longhaul-vrps-'))
  cleanups.push(() => rm(directory, { recursive: true }))
  const path = join(directory, 'vrps.json')
  const write = async (next: unknown) => {
    await writeFile(`${path}.new`, typeof next === 'string' ? next : JSON.stringify(next))
    await utimes(`${path}.new`, new Date(NOW), new Date(NOW))
    await rename(`${path}.new`, path)
  }
  await write(content)
  return { path, write }
}

function open(options: JsonSourceOptions): RpkiSource {
  const source = createJsonSource({ refreshMs: 500, clock: manualClock(NOW), ...options })
  cleanups.push(() => source.close())
  return source
}

const settled = (source: RpkiSource, count: number) =>
  vi.waitFor(() => expect(source.report().count).toBe(count), { timeout: 10_000 })
const status = (source: RpkiSource, prefix = '45.30.10.0/24', origin = 500_010) =>
  source.validate(parsePrefix(prefix), origin).status
const roas = [{ asn: 500_010, prefix: '45.30.10.0/24', maxLength: 24 }]

describe('the shapes of an export', () => {
  it.each([
    [
      'Routinator',
      {
        metadata: { generated: 1_795_176_000 },
        roas: [{ asn: 'AS500010', prefix: '45.30.10.0/24', maxLength: 24, ta: 'ripe' }],
      },
    ],
    [
      'rpki-client',
      {
        metadata: { buildtime: NOW, vrps: 1 },
        roas: [{ ...roas[0], ta: 'ripe', expires: 1_999_999_999 }],
        bgpsec_keys: [],
      },
    ],
    ['a bare list', [{ asn: '500010', prefix: '45.30.10.0/24', maxLength: 24 }]],
    ['a list without maxLength', { roas: [{ asn: 500_010, prefix: '45.30.10.0/24' }] }],
  ])('reads %s', async (_name, content) => {
    const { path } = await exportFile(content)
    const source = open({ location: path })
    expect(status(source)).toBe('UNKNOWN')
    await settled(source, 1)
    expect(source.report()).toMatchObject({ state: 'current', error: null, asOf: new Date(NOW) })
    expect(status(source)).toBe('VALID')
  })

  it('leaves out VRPs whose signatures have run out', async () => {
    const gone = { asn: 1, prefix: '45.30.11.0/24', maxLength: 24, expires: Date.parse(NOW) / 1000 - 1 }
    const { path } = await exportFile({ roas: [...roas, gone] })
    const source = open({ location: path })
    await settled(source, 1)
    expect(status(source, '45.30.11.0/24', 1)).toBe('NOT_FOUND')
  })
})

describe('ASPA objects', () => {
  const answers = async (content: object, ...asns: number[]) => {
    const { path } = await exportFile({ roas, ...content })
    const source = open({ location: path })
    await settled(source, 1)
    return asns.map((asn) => {
      const answer = source.aspa(asn)
      return answer.status === 'PROVIDERS' ? answer.providers : answer.status
    })
  }

  it.each([
    ['rpki-client', { aspas: [{ customer_asid: 500_011, expires: 1_999_999_999, providers: [500_010, 500_012] }] }],
    ['Routinator', { aspas: [{ customer: 'AS500011', providers: ['AS500010', 'AS500012'], ta: 'ripe' }] }],
    [
      'rpki-client 8.0',
      {
        provider_authorizations: {
          ipv4: [{ customer_asid: 500_011, expires: 1_999_999_999, providers: [500_010] }],
          ipv6: [{ customer_asid: 500_011, expires: 1_999_999_999, providers: [500_012] }],
        },
      },
    ],
  ])('are read from %s', async (_name, content) => {
    expect(await answers(content, 500_011, 500_020)).toEqual([[500_010, 500_012], 'NONE'])
  })

  it('ASPA objects that the export does not have say nothing about anyone', async () => {
    expect(await answers({}, 500_011)).toEqual(['UNKNOWN'])
    expect(await answers({ aspas: null, provider_authorizations: {} }, 500_011)).toEqual(['UNKNOWN'])
  })

  it('ASPA objects of one customer count together, AS0 only when it stands alone, and none that has run out', async () => {
    const row = (customer_asid: number, providers: number[], expires = 1_999_999_999) => ({
      customer_asid,
      providers,
      expires,
    })
    const aspas = [row(1, [0]), row(2, [0, 30]), row(3, [40]), row(3, [30]), row(4, [30], Date.parse(NOW) / 1000 - 1)]
    expect(await answers({ aspas }, 1, 2, 3, 4)).toEqual([[], [30], [30, 40], 'NONE'])
  })

  it.each([{}, { customer_asid: 1, providers: 'x' }, { customer_asid: 1, providers: [-1] }, 'x', null])(
    'that cannot be read, such as %j, make all of them unknown, and leave the VRPs in force',
    async (bad) => {
      expect(await answers({ aspas: [{ customer_asid: 2, providers: [3] }, bad] }, 2)).toEqual(['UNKNOWN'])
    },
  )

  it('are unknown once the export has expired', async () => {
    const clock = manualClock(NOW)
    const aspas = [{ customer_asid: 2, providers: [3] }]
    const { path } = await exportFile({ metadata: { buildtime: NOW }, roas, aspas })
    const source = open({ location: path, clock, staleAfterMs: 1000, expireAfterMs: 5000 })
    await settled(source, 1)
    expect(source.aspa(2).status).toBe('PROVIDERS')
    clock.advance(5000)
    expect(source.aspa(2).status).toBe('UNKNOWN')
  })
})

describe('an export that cannot be believed', () => {
  it.each([
    ['is cut off', '{"roas":[{"asn":1,', /no JSON/],
    ['is something else', { users: [] }, /no list "roas"/],
    ['has unreadable rows', { roas: [...roas, { asn: 1, prefix: 'x', maxLength: 1 }] }, /1 of 2 rows/],
    ['has an impossible maxLength', { roas: [{ asn: 1, prefix: '45.0.0.0/8', maxLength: 4 }] }, /1 of 1 rows/],
  ])('changes nothing when it %s', async (_what, bad, reason) => {
    const { path, write } = await exportFile({ roas })
    const source = open({ location: path })
    await settled(source, 1)
    await write(bad)
    await vi.waitFor(() => expect(source.report().error).toMatch(reason), { timeout: 10_000 })
    expect(status(source)).toBe('VALID')
  })

  it('is stale first, and then answers nothing but UNKNOWN', async () => {
    const clock = manualClock(NOW)
    const { path } = await exportFile({ metadata: { buildtime: NOW }, roas })
    const source = open({ location: path, clock, staleAfterMs: 1000, expireAfterMs: 5000 })
    await settled(source, 1)
    clock.advance(1000)
    expect([source.report().state, status(source)]).toEqual(['stale', 'VALID'])
    clock.advance(4000)
    expect([source.report().state, status(source)]).toEqual(['expired', 'UNKNOWN'])
  })

  it('ages from now when it claims to be of the future', async () => {
    const { path } = await exportFile({ metadata: { buildtime: '2036-01-01T00:00:00Z' }, roas })
    const source = open({ location: path })
    await settled(source, 1)
    expect(source.report().asOf).toEqual(new Date(NOW))
  })

  it('says that the file is missing', async () => {
    const source = open({ location: '/nowhere/vrps.json' })
    await vi.waitFor(() => expect(source.report().error).toMatch(/\/nowhere\/vrps\.json: ENOENT/), { timeout: 10_000 })
    expect(source.report().state).toBe('starting')
  })
})

it('takes a changed file over and tells its listeners', async () => {
  const { path, write } = await exportFile({ roas })
  const source = open({ location: path })
  await settled(source, 1)
  const changed = vi.fn<() => void>()
  source.onChange(changed)
  await write({ roas: [...roas, { asn: 2, prefix: '2d10::/32', maxLength: 48 }] })
  await settled(source, 2)
  expect(changed).toHaveBeenCalledTimes(1)
  expect(status(source, '2d10:0:1::/48', 2)).toBe('VALID')
})

it('asks a web server only for what changed', async () => {
  let whole = 0
  let unchanged = 0
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === '"1"') {
      unchanged += 1
      response.writeHead(304).end()
    } else {
      whole += 1
      response
        .writeHead(200, { etag: '"1"', 'last-modified': new Date(NOW).toUTCString() })
        .end(JSON.stringify({ roas }))
    }
  }).listen(0, '127.0.0.1')
  cleanups.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  await once(server, 'listening')
  const source = open({ location: `http://127.0.0.1:${(server.address() as AddressInfo).port}/vrps.json` })
  await settled(source, 1)
  await vi.waitFor(() => expect(unchanged).toBeGreaterThan(1), { timeout: 10_000 })
  expect(whole).toBe(1)
  expect(source.report().asOf).toEqual(new Date(NOW))
})

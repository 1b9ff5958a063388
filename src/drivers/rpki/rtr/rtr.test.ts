import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startRtr } from '../../../../lab/sources/rtr.ts'
import { manualClock } from '../../../kernel/clock.ts'
import { parsePrefix } from '../../../kernel/prefix.ts'
import { certificateFor, tlsBefore } from '../../testing-certificate.ts'
import type { RpkiSource } from '../index.ts'
import { createRtrSource, type RtrSourceOptions } from './index.ts'
import { encodePdu, PduReader, RTR_ERROR, type Pdu, type RtrVersion } from './pdu.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

interface Roa {
  asn: number
  prefix: string
  maxLength: number
}
const KESTREL: Roa = { asn: 500_010, prefix: '45.30.10.0/24', maxLength: 24 }
const KESTREL6: Roa = { asn: 500_010, prefix: '2d10:10::/32', maxLength: 48 }
const PLOVER: Roa = { asn: 500_020, prefix: '45.30.20.0/24', maxLength: 24 }

async function cacheOf(...roas: Roa[]) {
  const directory = await mkdtemp(join(tmpdir(), 'longhaul-rtr-'))
  cleanups.push(() => rm(directory, { recursive: true }))
  const file = join(directory, 'vrps.json')
  const write = async (...next: Roa[]) => {
    await writeFile(`${file}.new`, JSON.stringify({ roas: next }))
    await rename(`${file}.new`, file)
  }
  await write(...roas)
  const start = async (port = 0) => {
    const cache = await startRtr({ file, port })
    cleanups.push(() => cache.close().catch(() => undefined))
    return cache
  }
  return { write, start }
}

function follow(
  port: number,
  clock = manualClock('2026-11-20T12:00:00Z'),
  options: Partial<RtrSourceOptions> = {},
): RpkiSource {
  const source = createRtrSource({ host: '127.0.0.1', port, retryMs: 20, clock, ...options })
  cleanups.push(() => source.close())
  return source
}
const settled = (source: RpkiSource, count: number) =>
  vi.waitFor(() => expect(source.report()).toMatchObject({ state: 'current', count }), { timeout: 5000 })
const status = (source: RpkiSource, roa: Roa) => source.validate(parsePrefix(roa.prefix), roa.asn).status

describe('a cache that keeps to the protocol', () => {
  it('gives all its VRPs, and what changes as it changes', async () => {
    const { start, write } = await cacheOf(KESTREL, KESTREL6)
    const source = follow((await start()).port)
    expect(status(source, KESTREL)).toBe('UNKNOWN')
    await settled(source, 2)
    expect([status(source, KESTREL), status(source, KESTREL6), status(source, PLOVER)]).toEqual([
      'VALID',
      'VALID',
      'NOT_FOUND',
    ])
    const changed = vi.fn<() => void>()
    source.onChange(changed)
    await write(KESTREL6, PLOVER, { ...KESTREL, asn: 500_090 })
    await settled(source, 3)
    expect(changed).toHaveBeenCalledTimes(1)
    expect([status(source, KESTREL), status(source, PLOVER)]).toEqual(['INVALID', 'VALID'])
  })

  it('may restart: the data stays in force, and is taken over again', async () => {
    const { start, write } = await cacheOf(KESTREL)
    const cache = await start()
    const source = follow(cache.port)
    await settled(source, 1)
    await cache.close()
    await vi.waitFor(() => expect(source.report().error).not.toBeNull(), { timeout: 10_000 })
    expect(status(source, KESTREL)).toBe('VALID')
    await write(KESTREL, PLOVER)
    await start(cache.port)
    await settled(source, 2)
    expect(source.report().error).toBeNull()
  })

  it('is believed for as long as it says, and not a second longer', async () => {
    const { start } = await cacheOf(KESTREL)
    const clock = manualClock('2026-11-20T12:00:00Z')
    const source = follow((await start()).port, clock)
    await settled(source, 1)
    clock.advance(70_000)
    expect([source.report().state, status(source, KESTREL)]).toEqual(['stale', 'VALID'])
    clock.set('2026-11-20T14:00:00Z')
    expect([source.report().state, status(source, KESTREL)]).toEqual(['expired', 'UNKNOWN'])
  })

  it('is asked again after it was away from the start', async () => {
    const { start } = await cacheOf(KESTREL)
    const first = await start()
    await first.close()
    const source = follow(first.port)
    await vi.waitFor(() => expect(source.report().error).toMatch(/ECONNREFUSED/), { timeout: 10_000 })
    expect(source.report().state).toBe('starting')
    await start(first.port)
    await settled(source, 1)
  })
})

type Answer = (question: Pdu, version: RtrVersion, socket: Socket) => Pdu[]

/** A cache with the test's responses; `speak` is the version that it sends. */
async function madeUp(answer: Answer, speak: (asked: RtrVersion) => RtrVersion = (asked) => asked) {
  const heard: string[] = []
  const server = createServer((socket) => {
    const reader = new PduReader()
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      for (const { version, pdu } of reader.push(chunk)) {
        heard.push(pdu.type === 'error' ? `error ${pdu.code}` : `${pdu.type} v${version}`)
        for (const part of answer(pdu, version, socket)) socket.write(encodePdu(speak(version), part))
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

const vrp = (announce = true, asn = 500_010): Pdu => ({
  type: 'prefix',
  announce,
  family: 4,
  words: [0x2d1e0a00],
  length: 24,
  maxLength: 24,
  asn,
})
const timers = { refresh: 1, retry: 1, expire: 600 }
const whole = (session: number, serial: number, ...rows: Pdu[]): Pdu[] => [
  { type: 'cache-response', session },
  ...rows,
  { type: 'end-of-data', session, serial, timers },
]

describe('a cache of another kind', () => {
  it('is spoken to in version 0 when it answers so', async () => {
    const { port } = await madeUp(
      () => whole(7, 1, vrp()),
      () => 0,
    )
    await settled(follow(port), 1)
  })

  it('is spoken to in version 0 when it refuses version 1', async () => {
    const denial: Pdu = { type: 'error', code: RTR_ERROR.unsupportedVersion, text: 'version 0 only' }
    const { port, heard } = await madeUp(
      (_question, version) => (version === 1 ? [denial] : whole(7, 1, vrp())),
      () => 0,
    )
    await settled(follow(port), 1)
    expect(heard.slice(0, 2)).toEqual(['reset-query v1', 'reset-query v0'])
  })

  it('is spoken to in version 0 when it hangs up on version 1', async () => {
    const { port } = await madeUp((_question, version, socket) =>
      version === 1 ? (socket.end(), []) : whole(7, 1, vrp()),
    )
    await settled(follow(port), 1)
  })

  it('a cache that has no data yet is asked again', async () => {
    let asked = 0
    const { port } = await madeUp(() =>
      ++asked < 3 ? [{ type: 'error', code: RTR_ERROR.noDataAvailable, text: '' }] : whole(7, 1, vrp()),
    )
    await settled(follow(port), 1)
  })
})

it('is asked again at once when it told of a change while it answered', async () => {
  const slow = { refresh: 3600, retry: 600, expire: 7200 }
  const answer = (serial: number, ...between: Pdu[]): Pdu[] => [
    { type: 'cache-response', session: 7 },
    ...between,
    { type: 'end-of-data', session: 7, serial, timers: slow },
  ]
  const { port, heard } = await madeUp(({ type }) =>
    type === 'reset-query'
      ? answer(1, vrp(), { type: 'serial-notify', session: 7, serial: 2 })
      : answer(2, vrp(true, 500_020)),
  )
  await settled(follow(port), 2)
  expect(heard).toEqual(['reset-query v1', 'serial-query v1'])
})

describe('a cache that breaks the protocol', () => {
  it.each([
    ['announces what it announced before', [vrp()], RTR_ERROR.duplicateAnnouncement],
    ['withdraws what is not there', [vrp(false, 9)], RTR_ERROR.unknownWithdrawal],
    ['withdraws twice', [vrp(false), vrp(false)], RTR_ERROR.unknownWithdrawal],
    ['sends host bits', [{ ...vrp(true, 5), length: 20 }], RTR_ERROR.corruptData],
    ['asks questions', [{ type: 'reset-query' }], RTR_ERROR.invalidRequest],
  ] as [string, Pdu[], number][])(
    'is told so when it %s in a change, and asked for everything',
    async (_what, rows, code) => {
      const { port, heard } = await madeUp((question) => {
        if (question.type === 'reset-query') return whole(7, 1, vrp())
        return question.type === 'serial-query' ? whole(7, 2, ...rows) : []
      })
      const source = follow(port)
      await vi.waitFor(() => expect(heard).toContain(`error ${code}`), { timeout: 5000 })
      await vi.waitFor(() => expect(heard.filter((line) => line === 'reset-query v1').length).toBeGreaterThan(1), {
        timeout: 10_000,
      })
      await settled(source, 1)
      expect(status(source, KESTREL)).toBe('VALID')
    },
  )

  it('loses all it gave when it changes its session', async () => {
    let session = 7
    let mute = false
    const { port } = await madeUp((question) =>
      mute && question.type === 'reset-query' ? [] : whole(session, 1, vrp()),
    )
    const source = follow(port)
    await settled(source, 1)
    session = 8
    mute = true
    await vi.waitFor(() => expect(status(source, KESTREL)).toBe('UNKNOWN'), { timeout: 5000 })
  })

  it('ends nothing but the connection when it resets that in the middle of a complaint', async () => {
    let connections = 0
    const { port } = await madeUp((_question, _version, socket) => {
      if (++connections > 3) return whole(7, 1, vrp())
      socket.write(encodePdu(1, vrp()), () => socket.resetAndDestroy())
      return []
    })
    await settled(follow(port), 1)
  })

  it.each([
    ['a length beyond reason', Buffer.from([1, 3, 0, 0, 0xff, 0xff, 0xff, 0xff])],
    ['a length below the header', Buffer.from([1, 3, 0, 0, 0, 0, 0, 4])],
    ['a version nobody knows', Buffer.from([9, 3, 0, 0, 0, 0, 0, 8])],
    ['a prefix of the wrong size', Buffer.from([1, 4, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0])],
    ['VRPs without an answer around them', encodePdu(1, vrp())],
  ])('yields no data when it sends %s', async (_what, bytes) => {
    const { port } = await madeUp((_question, _version, socket) => (socket.write(bytes), []))
    const source = follow(port)
    await vi.waitFor(() => expect(source.report().error).not.toBeNull(), { timeout: 10_000 })
    expect(source.report()).toMatchObject({ state: 'starting', count: 0 })
  })
})

describe('over TLS (RFC 8210 section 9.2)', () => {
  const encrypted = async (port: number, cert: string) => {
    const server = await tlsBefore(port, cert)
    cleanups.push(server.close)
    return server.port
  }
  const refused = (source: RpkiSource, words: RegExp) =>
    vi.waitFor(() => expect(source.report()).toMatchObject({ count: 0, error: expect.stringMatching(words) }))

  it('gives its VRPs where the certificate names the cache', async () => {
    const ca = await certificateFor('127.0.0.1')
    const port = await encrypted((await (await cacheOf(KESTREL)).start()).port, ca)
    const source = follow(port, undefined, { tls: true, ca })
    await settled(source, 1)
    expect(source.report().source).toBe(`rtr tls://127.0.0.1:${port}`)
  })

  it('is not begun with a certificate of another, of no one known, or without TLS', async () => {
    const [ca, other] = [await certificateFor('127.0.0.1'), await certificateFor('192.0.2.1')]
    const cache = await (await cacheOf(KESTREL)).start()
    const port = await encrypted(cache.port, other)
    await refused(follow(port, undefined, { tls: true, ca: other }), /altnames/)
    await refused(follow(port, undefined, { tls: true }), /self-signed certificate/)
    await refused(follow(cache.port, undefined, { tls: true, ca }), /./)
  })
})

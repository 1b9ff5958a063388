/**
 * Measures origin validation (RFC 6811) of the same routes over the same VRPs by two programs; every result must be the
 * same.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { startRtr } from '../lab/sources/rtr.ts'
import { findProgram } from '../scripts/system/packages.ts'
import { parseVrpExport } from '../src/drivers/rpki/json/parse.ts'
import { VrpIndex } from '../src/drivers/rpki/vrp-index.ts'
import { comparePrefixes, formatAddress, formatPrefix, parsePrefix } from '../src/kernel/prefix.ts'
import type { Bench } from './bench.ts'
import { inventRoutes, inventVrps, type Route } from './invented-routes.ts'

const VALIDATOR = 'rpki-rov'
const VRPS = 250_000
const ROUTES = 200_000
/** More than exist worldwide: about 800,000 in 2026. */
const MANY = 1_000_000
const CHUNK_BYTES = 65_536
/** In the order of a table, as BIRD and collectors print one. */
const LEAST_JUDGED = 5_000_000
const MOST_READ_MS = 1_500
/** As rpki-rov prints them. */
const RESULTS = { '0': 'VALID', '1': 'NOT_FOUND', '2': 'INVALID' } as const

export default {
  skipReason: async () =>
    (await findProgram(VALIDATOR)) ? null : `${VALIDATOR} of rtrlib is not installed: apt-get install rtr-tools`,
  open: async () => {
    const vrps = inventVrps(VRPS)
    const routes = inventRoutes(vrps, ROUTES)
    const index = VrpIndex.of(vrps)
    const lines = routes.map(lineOf)
    const many = inventVrps(MANY)
    const large = VrpIndex.of(many)
    const exported = exportOf(many)
    const table = v4Table(large, inventRoutes(many, ROUTES * 5))
    const expected = routes.map(({ prefix, origin }) => index.validate(prefix, origin).status)
    const cache = await serve(vrps)
    return {
      comparisons: [
        {
          name: 'routes judged, read as text',
          unit: 'per second' as const,
          ours: async () => perSecond(() => lines.map((line) => validateLine(index, line)), expected),
          peer: { name: 'rpki-rov of rtrlib', measure: () => validateElsewhere(cache.port, lines, expected) },
        },
        {
          name: `IPv4 routes in the order of a table judged against ${MANY.toLocaleString('en')} VRPs, of processor time`,
          unit: 'per second' as const,
          ours: () => judge(large, table.ordered),
          peer: { name: 'the same at random, each from cold memory', measure: () => judge(large, table.shuffled) },
          bound: { least: LEAST_JUDGED },
        },
        {
          name: `${MANY.toLocaleString('en')} VRPs from a JSON export to the index, processor time`,
          unit: 'ms' as const,
          ours: async () =>
            cpuOf(async () => {
              const { v4, v6 } = await parseVrpExport(chunksOf(exported), new Date())
              if (VrpIndex.build(v4, v6).count !== large.count) throw new Error('not all VRPs were read')
            }),
          peer: { name: 'JSON.parse of the same', measure: () => cpuOf(async () => void parseJson(exported)) },
          bound: { most: MOST_READ_MS },
        },
      ],
      close: cache.close,
    }
  },
} satisfies Bench

function perSecond(validator: () => string[], expected: readonly string[]): number {
  const began = performance.now()
  const outcomes = validator()
  const seconds = (performance.now() - began) / 1_000
  compare(outcomes, expected)
  return outcomes.length / seconds
}

/** Returns milliseconds of this process. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

interface Table {
  readonly routes: readonly Route[]
  /** How many of them are valid. */
  readonly valid: number
}

function v4Table(index: VrpIndex, routes: readonly Route[]): { shuffled: Table; ordered: Table } {
  const v4 = routes.filter(({ prefix }) => prefix.family === 4)
  const valid = v4.filter(({ prefix, origin }) => index.validate(prefix, origin).status === 'VALID').length
  // New objects, in memory in the order in which they are read, as in a table parsed from text.
  const tableOf = (list: readonly Route[]): Table => ({
    routes: list.map(({ prefix, origin }) => ({ prefix: { ...prefix }, origin })),
    valid,
  })
  return { shuffled: tableOf(v4), ordered: tableOf(v4.toSorted((a, b) => comparePrefixes(a.prefix, b.prefix))) }
}

/** Returns lookups per second of processor time. */
async function judge(index: VrpIndex, { routes, valid }: Table): Promise<number> {
  let found = 0
  const ms = await cpuOf(async () => {
    for (const { prefix, origin } of routes) if (index.verdict(prefix, origin).status === 'VALID') found++
  })
  if (found !== valid) throw new Error(`${found} routes are valid, not ${valid}`)
  return routes.length / (ms / 1_000)
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

const exportOf = (vrps: ReturnType<typeof inventVrps>): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      roas: vrps.map(({ prefix, maxLength, asn }) => ({ asn: `AS${asn}`, prefix: formatPrefix(prefix), maxLength })),
    }),
  )

const parseJson = (bytes: Uint8Array): number =>
  (JSON.parse(new TextDecoder().decode(bytes)) as { roas: unknown[] }).roas.length

function validateLine(index: VrpIndex, line: string): string {
  const [address, length, origin] = line.split(' ')
  return index.verdict(parsePrefix(`${address}/${length}`), Number(origin)).status
}

/** The first line waits for the VRPs; the clock starts at its result. */
async function validateElsewhere(port: number, lines: readonly string[], expected: readonly string[]): Promise<number> {
  const validator = spawn(VALIDATOR, ['127.0.0.1', String(port)], { stdio: ['pipe', 'pipe', 'ignore'] })
  try {
    const outcomes: string[] = []
    let began = 0
    validator.stdin.write(`${lines[0]}\n`)
    for await (const line of createInterface({ input: validator.stdout })) {
      if (began === 0) {
        began = performance.now()
        validator.stdin.write(`${lines.join('\n')}\n`)
        continue
      }
      outcomes.push(RESULTS[line.slice(line.lastIndexOf('|') + 1) as keyof typeof RESULTS])
      if (outcomes.length === lines.length) break
    }
    const seconds = (performance.now() - began) / 1_000
    compare(outcomes, expected)
    return outcomes.length / seconds
  } finally {
    const gone = once(validator, 'exit')
    validator.kill()
    await gone
  }
}

function compare(outcomes: readonly string[], expected: readonly string[]): void {
  const differing = expected.findIndex((verdict, at) => outcomes[at] !== verdict)
  if (differing >= 0)
    throw new Error(`route ${differing} of ${expected.length} is ${outcomes[differing]}, not ${expected[differing]}`)
}

const lineOf = ({ prefix, origin }: Route): string =>
  `${formatAddress({ family: prefix.family, value: prefix.network })} ${prefix.length} ${origin}`

async function serve(vrps: ReturnType<typeof inventVrps>): Promise<{ port: number; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-vrps-'))
  const file = path.join(folder, 'vrps.json')
  const roas = vrps.map(({ prefix, maxLength, asn }) => ({ prefix: formatPrefix(prefix), maxLength, asn }))
  await writeFile(file, JSON.stringify({ roas }))
  const cache = await startRtr({ file, host: '127.0.0.1', port: 0 })
  return {
    port: cache.port,
    close: async () => {
      await cache.close()
      await rm(folder, { recursive: true })
    },
  }
}

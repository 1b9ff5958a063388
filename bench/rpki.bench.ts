/** Origin validation (RFC 6811) of the same routes over the same VRPs by two programs; every verdict must be the same. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { startRtr } from '../lab/sources/rtr.ts'
import { findProgram } from '../scripts/system/packages.ts'
import { parseVrpExport } from '../src/drivers/rpki/json/parse.ts'
import { toWords } from '../src/drivers/rpki/vrp-columns.ts'
import { VrpIndex } from '../src/drivers/rpki/vrp-index.ts'
import { comparePrefixes, formatAddress, formatPrefix, parsePrefix } from '../src/kernel/prefix.ts'
import type { Bench } from './bench.ts'
import { inventRoutes, inventVrps, type Route } from './invented-routes.ts'

const VALIDATOR = 'rpki-rov'
const VRPS = 250_000
const ROUTES = 200_000
/** More than the world has: 2026 about 800,000. */
const EXPORTED = 1_000_000
/** As rpki-rov writes them. */
const RESULTS = { '0': 'VALID', '1': 'NOT_FOUND', '2': 'INVALID' } as const

export default {
  skipReason: async () =>
    (await findProgram(VALIDATOR)) ? null : `${VALIDATOR} of rtrlib is not installed: apt-get install rtr-tools`,
  open: async () => {
    const vrps = inventVrps(VRPS)
    const routes = inventRoutes(vrps, ROUTES)
    const index = VrpIndex.of(vrps)
    const lines = routes.map(lineOf)
    const prepared = routes.map(({ prefix, origin }) => ({ prefix, origin, words: toWords(prefix) }))
    const ordered = prepared
      .map((route, at) => ({ ...route, at }))
      .toSorted((a, b) => comparePrefixes(a.prefix, b.prefix))
    const exported = exportOf(inventVrps(EXPORTED))
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
          name: 'routes judged, read before',
          unit: 'per second' as const,
          ours: async () =>
            perSecond(
              () =>
                prepared.map(({ prefix, origin, words }) =>
                  index.statusOf(prefix.family, words, prefix.length, origin),
                ),
              expected,
            ),
        },
        {
          // As a routing table is walked: neighbours share what the processor has at hand.
          name: 'routes judged in the order of a table',
          unit: 'per second' as const,
          ours: async () =>
            perSecond(
              () =>
                ordered.map(({ prefix, origin, words }) => index.statusOf(prefix.family, words, prefix.length, origin)),
              ordered.map(({ at }) => expected[at]!),
            ),
        },
        {
          name: `${EXPORTED.toLocaleString('en')} VRPs read from a JSON export`,
          unit: 'ms' as const,
          ours: async () => elapsed(() => parseVrpExport(exported, new Date()).v4.count),
          peer: { name: 'JSON.parse of the same', measure: async () => elapsed(() => parseJson(exported)) },
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

function elapsed(work: () => number): number {
  const began = performance.now()
  if (work() === 0) throw new Error('nothing was read')
  return performance.now() - began
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
  const prefix = parsePrefix(`${address}/${length}`)
  return index.statusOf(prefix.family, toWords(prefix), prefix.length, Number(origin))
}

/** The first line waits for the VRPs; the clock runs from its verdict on. */
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

/** `npm run bench [-- names]`: measures the product against named peers. `bench/README.md` describes what and how. */
import { glob } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../bench/bench.ts'
import { describeMachine, readLoad } from '../bench/machine.ts'
import { measure, missedBound, type Measured } from '../bench/measure.ts'
import { formatTable, writeResults, type BenchResult } from '../bench/report.ts'
import { ensurePortal } from './portal.ts'

const FOLDER = 'bench'
const SUFFIX = '.bench.ts'

const say = (words: string): void => void process.stderr.write(`${words}\n`)
/** Checked between measurements, so that each bench still removes what it made. */
let interrupted = false

async function main(wanted: readonly string[]): Promise<number> {
  const known = (await Array.fromAsync(glob(`*${SUFFIX}`, { cwd: FOLDER })))
    .map((file) => file.slice(0, -SUFFIX.length))
    .toSorted()
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    say(`There is no bench ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
    return 1
  }
  const machine = describeMachine()
  const startedAt = new Date().toISOString()
  say(`${machine.cores} × ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`)
  await ensurePortal(say)
  const results: BenchResult[] = []
  for (const name of wanted.length > 0 ? wanted : known) {
    if (interrupted) break
    results.push(await runBench(name))
  }
  if (results.some(({ measured }) => measured.length > 0)) {
    console.log(formatTable(results))
    say(`Every measurement: ${await writeResults(path.join(FOLDER, 'results'), { startedAt, machine, results })}`)
  }
  for (const { bench, skipped } of results) if (skipped) console.log(`Skipped ${bench}: ${skipped}`)
  for (const { bench, failed } of results) if (failed) console.log(`Failed ${bench}: ${failed}`)
  return interrupted || results.some(({ failed }) => failed) ? 1 : 0
}

async function runBench(name: string): Promise<BenchResult> {
  const before = readLoad()
  const measured: Measured[] = []
  const misses: string[] = []
  const result = (skipped: string | null, failed: string | null): BenchResult => ({
    bench: name,
    skipped,
    failed,
    load: { before, after: readLoad() },
    measured,
  })
  try {
    const { default: bench } = (await import(path.resolve(FOLDER, `${name}${SUFFIX}`))) as { default: Bench }
    const skipReason = (await bench.skipReason?.()) ?? null
    if (skipReason) return result(skipReason, null)
    const stage = await bench.open()
    try {
      for (const comparison of stage.comparisons) {
        const taken = await measure(comparison, (words) => {
          if (interrupted) throw new Error('interrupted')
          say(`${name}: ${words}`)
        })
        measured.push(taken)
        const missed = missedBound(comparison, taken)
        if (missed) misses.push(missed)
      }
    } finally {
      await stage.close()
    }
    return result(null, misses.length === 0 ? null : misses.join('; '))
  } catch (error) {
    return result(null, error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!interrupted) say('Ending after this measurement ...')
    interrupted = true
  })
}

process.exit(await main(process.argv.slice(2)))

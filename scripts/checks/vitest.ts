/** Runs tests and counts them. */
import { rmSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './processes.ts'
import { afterSecondTry, worthASecondTry } from './retry.ts'
import { failed, sum, type FileSummary, type TestSummary } from './test-summary.ts'
import { runShape, SUMMARY_FILE } from './summary-reporter.ts'

/** Real daemons, machines and kills: seconds to minutes each, so `npm run check` leaves them to `npm test`. */
const SLOW = [
  '**/*.live.test.ts',
  '**/scenarios/**',
  '**/libvirt/**',
  '**/libvirt.test.ts',
  'src/drivers/*/conformance.test.ts',
  'lab/**',
  'images/**',
]

/** Long random walks and lives, seconds each: what is left answers within the minute that `npm run check` may take. */
const LONG = [
  '**/interrupted.test.ts',
  '**/lifecycle.test.ts',
  '**/meter.test.ts',
  '**/never-twice.test.ts',
  '**/oracle.test.ts',
  '**/staff-lists.test.ts',
  'src/billing/dunning/**',
  'src/drivers/rpki/rtr/**',
  'src/cli/**',
  'scripts/{isolation,manual-host,manual-postgres}.test.ts',
  'src/main/isolation/**',
]

export interface VitestRun {
  readonly config?: string
  /** Without those that need real daemons and machines; the check leaves out the long ones too. */
  readonly without?: 'machines' | 'machines and long ones'
  /** Passed on to vitest: names of files, `-t`, … */
  readonly args?: readonly string[]
  /** What fails tries once more, by itself. */
  readonly secondTry?: boolean
}

export async function runVitest(what: VitestRun): Promise<TestSummary> {
  const { files, outside } = await runOnce(what)
  const again = what.secondTry ? worthASecondTry(files) : []
  if (again.length === 0) return sum([...files, outside])
  console.log(`\nOnce more, by themselves: ${again.join(', ')}`)
  const second = await runOnce({ ...what, args: again }, 1)
  return sum([...afterSecondTry(files, second.files), outside, second.outside])
}

interface Run {
  readonly files: readonly FileSummary[]
  /** What failed in no file of tests. */
  readonly outside: TestSummary
}

async function runOnce(
  { config = 'vitest.config.ts', without, args = [] }: VitestRun,
  // They wait for a database half of their time: one more than processors keeps these busy.
  workers = without ? availableParallelism() + 1 : undefined,
): Promise<Run> {
  const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-tally-'))
  const file = path.join(folder, 'tally.json')
  try {
    process.env[SUMMARY_FILE] = file
    const reporter = path.join(import.meta.dirname, 'summary-reporter.ts')
    const { code } = await run(
      process.execPath,
      [
        path.join('node_modules', 'vitest', 'vitest.mjs'),
        'run',
        `--config=${config}`,
        '--passWithNoTests',
        '--reporter=default',
        `--reporter=${reporter}`,
        ...left(without).map((pattern) => `--exclude=${pattern}`),
        ...(workers ? [`--maxWorkers=${workers}`] : []),
        ...args,
      ],
      'inherit',
    )
    const text = await readFile(file, 'utf8').catch(() => '{ "files": [], "uncaught": [] }')
    const { files: counted, uncaught } = runShape.parse(JSON.parse(text))
    const files = counted.map((file) => ({ ...file, unsteady: [] }))
    const faults = sum(uncaught.map(({ name, why }) => failed(name, why)))
    const reported = uncaught.length > 0 || files.some(({ failures }) => failures.length > 0)
    if (code === 0 || reported) return { files, outside: faults }
    // It also fails on what is no test's fault, for example a set-up that throws.
    return { files, outside: failed(config, `vitest ended with the code ${code}: its own report says why`) }
  } finally {
    // At once: an interrupted script ends with the next turn.
    rmSync(folder, { recursive: true, force: true })
  }
}

const left = (without: VitestRun['without']): readonly string[] =>
  without === undefined ? [] : without === 'machines' ? SLOW : [...SLOW, ...LONG]

/** Runs tests and counts them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './processes.ts'
import { failed, sum, type Tally } from './tally.ts'
import { TALLY_FILE, tallyShape } from './tally-reporter.ts'

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
]

export interface VitestRun {
  readonly config?: string
  /** Without those that need real daemons and machines; the check leaves out the long ones too. */
  readonly without?: 'machines' | 'machines and long ones'
  /** Passed on to vitest: names of files, `-t`, … */
  readonly args?: readonly string[]
}

export async function runVitest({ config = 'vitest.config.ts', without, args = [] }: VitestRun): Promise<Tally> {
  const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-tally-'))
  const file = path.join(folder, 'tally.json')
  try {
    process.env[TALLY_FILE] = file
    const reporter = path.join(import.meta.dirname, 'tally-reporter.ts')
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
        // They wait for a database half of their time: one more than processors keeps these busy.
        ...(without ? [`--maxWorkers=${availableParallelism() + 1}`] : []),
        ...args,
      ],
      'inherit',
    )
    const text = await readFile(file, 'utf8').catch(() => undefined)
    const tally = text === undefined ? sum([]) : tallyShape.parse(JSON.parse(text))
    if (code === 0 || tally.failures.length > 0) return tally
    // It also fails on what is no test's fault, for example a set-up that throws.
    return sum([tally, failed(config, `vitest ended with the code ${code} outside its tests: its own report says why`)])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const left = (without: VitestRun['without']): readonly string[] =>
  without === undefined ? [] : without === 'machines' ? SLOW : [...SLOW, ...LONG]

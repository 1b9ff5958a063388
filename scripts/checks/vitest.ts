/** Runs tests and counts them. */
import { rmSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './processes.ts'
import { afterSecondTry, worthASecondTry } from './retry.ts'
import { failed, sum, type FileSummary, type TestSummary } from './test-summary.ts'
import { runShape, SUMMARY_FILE } from './summary-reporter.ts'

/** A product with machines and namespaces takes some twenty seconds to stop on a busy machine. */
const TEARDOWN_MS = 60_000

export interface VitestRun {
  readonly config?: string
  /** Projects of the configuration; otherwise all. */
  readonly projects?: readonly string[]
  /** Parallel workers; otherwise as in the configuration. */
  readonly workers?: number
  /** Passed on to vitest: names of files, `-t`, … */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Prints at the end, because another command prints in the meantime. */
  readonly printAtEnd?: boolean
  /** Retries what fails once. */
  readonly secondTry?: boolean
}

export async function runVitest(what: VitestRun): Promise<TestSummary> {
  const { files, outside } = await runOnce(what)
  const again = what.secondTry ? worthASecondTry(files) : []
  if (again.length === 0) return sum([...files, outside])
  console.log(`\nOnce more, by themselves: ${again.join(', ')}`)
  const second = await runOnce({ ...what, args: again, workers: 1 })
  return sum([...afterSecondTry(files, second.files), outside, second.outside])
}

interface Run {
  readonly files: readonly FileSummary[]
  /** Failures outside any test file. */
  readonly outside: TestSummary
}

async function runOnce({
  config = 'vitest.config.ts',
  projects = [],
  workers,
  args = [],
  env = {},
  printAtEnd = false,
}: VitestRun): Promise<Run> {
  const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-tally-'))
  const file = path.join(folder, 'tally.json')
  try {
    const reporter = path.join(import.meta.dirname, 'summary-reporter.ts')
    const { code, output } = await run(
      process.execPath,
      [
        path.join('node_modules', 'vitest', 'vitest.mjs'),
        'run',
        `--config=${config}`,
        '--passWithNoTests',
        '--reporter=default',
        `--reporter=${reporter}`,
        ...projects.map((project) => `--project=${project}`),
        ...(workers ? [`--maxWorkers=${workers}`] : []),
        ...args,
      ],
      { stdio: printAtEnd ? 'pipe' : 'inherit', env: { ...env, [SUMMARY_FILE]: file }, teardownMs: TEARDOWN_MS },
    )
    if (printAtEnd) console.log(output)
    const text = await readFile(file, 'utf8').catch(() => '{ "files": [], "uncaught": [] }')
    const { files: counted, uncaught } = runShape.parse(JSON.parse(text))
    const files = counted.map((file) => ({ ...file, unsteady: [] }))
    const faults = sum(uncaught.map(({ name, why }) => failed(name, why)))
    const reported = uncaught.length > 0 || files.some(({ failures }) => failures.length > 0)
    if (code === 0 || reported) return { files, outside: faults }
    // It also fails for other reasons than a test, for example a setup that throws.
    return { files, outside: failed(config, `vitest ended with the code ${code}: its own report says why`) }
  } finally {
    // At once: an interrupted script ends with the next turn.
    rmSync(folder, { recursive: true, force: true })
  }
}

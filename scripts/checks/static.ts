/** What can be told about the code without running it. */
import path from 'node:path'
import { run } from './processes.ts'

interface Check {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
}

const CHECKS: readonly Check[] = [
  { name: 'types of the server', program: 'tsc', args: ['-p', 'tsconfig.server.json'] },
  { name: 'types of the portal', program: 'tsc', args: ['-p', 'tsconfig.portal.json'] },
  { name: 'lint', program: 'oxlint', args: [] },
  { name: 'unused', program: 'knip', args: ['--no-config-hints'] },
  { name: 'format (npm run format mends it)', program: 'oxfmt', args: ['--check'] },
]

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly Skip[]
  /** Names of those that passed, though not at the first try. */
  readonly unsteady?: readonly string[]
}

export interface Skip {
  readonly name: string
  readonly reason: string
}

/** All at once; each prints one line when it ends, and what it had to say if it failed. */
export async function runStaticChecks(): Promise<Tally> {
  const results = await Promise.all(CHECKS.map(runCheck))
  return { passed: results.filter(Boolean).length, failed: results.filter((passed) => !passed).length, skipped: [] }
}

async function runCheck({ name, program, args }: Check): Promise<boolean> {
  const began = performance.now()
  const { code, output } = await run(path.join('node_modules', '.bin', program), args)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(code === 0 ? `✓ ${name} (${seconds} s)` : `✗ ${name} (${seconds} s)\n${output.trimEnd()}`)
  return code === 0
}

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, tally) => total + tally.passed, 0),
  failed: tallies.reduce((total, tally) => total + tally.failed, 0),
  skipped: tallies.flatMap((tally) => tally.skipped),
  unsteady: tallies.flatMap((tally) => tally.unsteady ?? []),
})

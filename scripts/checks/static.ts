/** Checks the code without running it. */
import path from 'node:path'
import { run } from './processes.ts'
import { failed, passed, sum, type TestSummary } from './test-summary.ts'

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
  { name: 'format (npm run format fixes it)', program: 'oxfmt', args: ['--check'] },
]

/** Runs all checks at once; each prints one line when it ends, and its output if it failed. */
export async function runStaticChecks(): Promise<TestSummary> {
  return sum(await Promise.all(CHECKS.map(runCheck)))
}

async function runCheck({ name, program, args }: Check): Promise<TestSummary> {
  const began = performance.now()
  const { code, output } = await run(path.join('node_modules', '.bin', program), args)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(code === 0 ? `✓ ${name} (${seconds} s)` : `✗ ${name} (${seconds} s)\n${output.trimEnd()}`)
  return code === 0 ? passed(1) : failed(name, output)
}

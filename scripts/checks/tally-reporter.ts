/** Counts a run of vitest for {@link runVitest}, with the reasons of what was skipped, which its own reports leave out. */
import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { z } from 'zod'

export const TALLY_FILE = 'TEST_TALLY_FILE'

export const tallyShape = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  unsteady: z.array(z.string()),
})

const NO_REASON = 'does not apply on this machine'

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string): TestCase[] => tests.filter((test) => test.result().state === state)
    const broken = modules.filter((module) => brokenOutsideTests(module))
    const tally: z.infer<typeof tallyShape> = {
      passed: inState('passed').length,
      // A file that cannot be loaded has no tests that could fail.
      failed: inState('failed').length + inState('pending').length + broken.length + unhandled.length,
      skipped: inState('skipped').map((test) => ({
        name: nameOf(test),
        reason: reasonOf(test),
      })),
      unsteady: inState('passed').filter(isUnsteady).map(withFirstFailure),
    }
    const file = process.env[TALLY_FILE]
    if (file) writeFileSync(file, JSON.stringify(tally))
  }
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId}: ${test.fullName}`

/** Nothing else tells why the first try failed: the run's own report is that it passed. */
const withFirstFailure = (test: TestCase): string => {
  const [first] = test.result().errors ?? []
  const at = first?.stacks?.[0]
  return [nameOf(test), first && `    ${first.message}`, at && `    at ${at.file}:${at.line}`]
    .filter(Boolean)
    .join('\n')
}

const isUnsteady = (test: TestCase): boolean => test.diagnostic()?.flaky ?? false

const brokenOutsideTests = (module: TestModule): boolean =>
  module.errors().length > 0 || [...module.children.allSuites()].some((suite: TestSuite) => suite.errors().length > 0)

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || NO_REASON
}

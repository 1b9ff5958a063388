/**
 * Counts a vitest run for {@link runVitest}, with the reasons for skipped tests, which vitest's own reports leave out.
 * It also ends the run when the script is asked to end: on a signal vitest would exit without running any teardown.
 */
import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { z } from 'zod'
import type { Failure } from './test-summary.ts'

export const SUMMARY_FILE = 'TEST_TALLY_FILE'

const failuresShape = z.array(z.object({ name: z.string(), why: z.string() }))
export const runShape = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      passed: z.number(),
      failures: failuresShape,
      skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  ),
  /** Failures that belong to no test file. */
  uncaught: failuresShape,
})

const NO_REASON = 'does not apply on this machine'

export default class SummaryReporter implements Reporter {
  #end: (() => void) | null = null
  #ending = false

  onInit(vitest: Vitest): void {
    if (!process.channel) return
    this.#end = () => {
      this.#ending = true
      void vitest.cancelCurrentRun('keyboard-input')
    }
    process.once('message', this.#end)
    // A script that was killed sends no message.
    process.once('disconnect', this.#end)
    // The channel must not keep vitest running.
    process.channel.unref()
  }

  /** Before this there was no run to cancel. */
  onTestRunStart(): void {
    if (this.#ending) this.#end!()
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const run: z.input<typeof runShape> = {
      files: modules.map(summaryOf),
      uncaught: unhandled.map((error) => ({ name: 'an error that nothing caught', why: errorText([error]) })),
    }
    const file = process.env[SUMMARY_FILE]
    if (file) writeFileSync(file, JSON.stringify(run))
  }
}

function summaryOf(module: TestModule): z.input<typeof runShape>['files'][number] {
  const tests = [...module.children.allTests()]
  const inState = (state: string): TestCase[] => tests.filter((test) => test.result().state === state)
  return {
    file: module.relativeModuleId,
    passed: inState('passed').length,
    failures: [
      ...inState('failed').map(failureOf),
      ...inState('pending').map((test) => ({ name: nameOf(test), why: 'It never ended.' })),
      // A file that cannot be loaded has no tests that could fail.
      ...failureOutsideTests(module),
    ],
    skipped: inState('skipped').map((test) => ({ name: nameOf(test), reason: reasonOf(test) })),
  }
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId}: ${test.fullName}`

const failureOf = (test: TestCase): Failure => ({ name: nameOf(test), why: errorText(test.result().errors ?? []) })

function failureOutsideTests(module: TestModule): Failure[] {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
  return errors.length === 0 ? [] : [{ name: module.relativeModuleId, why: errorText(errors) }]
}

/** Returns only the first error: those after it mostly follow from it. */
function errorText([first]: readonly Partial<SerializedError>[]): string {
  const [at] = first?.stacks ?? []
  const diff: unknown = first?.['diff']
  return [at ? `at ${at.file}:${at.line}` : '', first?.message ?? '', typeof diff === 'string' ? diff : ''].join('\n')
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || NO_REASON
}

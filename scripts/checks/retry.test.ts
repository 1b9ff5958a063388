import { expect, test } from 'vitest'
import { afterSecondTry, worthASecondTry } from './retry.ts'
import { failed, passed, sum, type FileSummary, type TestSummary } from './test-summary.ts'

const of = (file: string, ...summaries: TestSummary[]): FileSummary => ({ file, ...sum(summaries) })
const timedOut = failed('opens', 'Test timed out in 20000ms.')

test('files with failures are run again, the others are not', () => {
  expect(worthASecondTry([of('a.test.ts', passed(3)), of('b.test.ts', passed(1), timedOut)])).toEqual(['b.test.ts'])
})

test('what is random gets no second seed', () => {
  const found = failed('never twice', 'Property failed after 17 tests\n{ seed: 1 }')
  const lost = failed('killed 100 times (CRASH_SEED=4711) > loses nothing', 'expected 2 to be 3')
  const summaries = [of('a.test.ts', found), of('b.test.ts', timedOut), of('crash.e2e.ts', lost)]
  expect(worthASecondTry(summaries)).toEqual(['b.test.ts'])
})

test('tests of accounts, access and billing are never run again', () => {
  const files = ['src/billing/charges/oracle.test.ts', 'src/accounts/sessions.test.ts', 'e2e/spec/guards.e2e.ts']
  expect(worthASecondTry(files.map((file) => of(file, timedOut)))).toEqual([])
})

test('nothing is run again when many files fail', () => {
  expect(worthASecondTry(Array.from({ length: 6 }, (_, i) => of(`${i}.test.ts`, timedOut)))).toEqual([])
})

test('what passes at the second try counts once, and is named', () => {
  const first = [of('a.test.ts', passed(3)), of('b.test.ts', passed(1), timedOut)]
  expect(sum(afterSecondTry(first, [of('b.test.ts', passed(2))]))).toEqual({
    ...sum([passed(5)]),
    unsteady: timedOut.failures,
  })
})

test('what fails again, or only then, has failed', () => {
  const first = [of('b.test.ts', passed(1), timedOut)]
  const { failures, unsteady } = sum(afterSecondTry(first, [of('b.test.ts', timedOut, failed('closes', 'no'))]))
  expect(failures.map(({ name }) => name)).toEqual(['opens', 'closes'])
  expect(unsteady).toEqual([])
})

test('a file that was not run again keeps its failures', () => {
  expect(afterSecondTry([of('b.test.ts', timedOut)], [])).toEqual([of('b.test.ts', timedOut)])
})

/** The result of a run of checks. */

export interface TestSummary {
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly skipped: readonly Skip[]
  /** Tests that passed, but not at the first try. */
  readonly unsteady: readonly Failure[]
}

/** The result of one test file. */
export interface FileSummary extends TestSummary {
  readonly file: string
}

export interface Failure {
  readonly name: string
  /** The check's own text; several lines. */
  readonly why: string
}

export interface Skip {
  readonly name: string
  readonly reason: string
}

const NOTHING: TestSummary = { passed: 0, failures: [], skipped: [], unsteady: [] }

export const passed = (count: number): TestSummary => ({ ...NOTHING, passed: count })
export const failed = (name: string, why: string): TestSummary => ({ ...NOTHING, failures: [{ name, why }] })
export const skipped = (name: string, reason: string): TestSummary => ({ ...NOTHING, skipped: [{ name, reason }] })

export const sum = (summaries: readonly TestSummary[]): TestSummary => ({
  passed: summaries.reduce((total, summary) => total + summary.passed, 0),
  failures: summaries.flatMap((summary) => summary.failures),
  skipped: summaries.flatMap((summary) => summary.skipped),
  unsteady: summaries.flatMap((summary) => summary.unsteady),
})

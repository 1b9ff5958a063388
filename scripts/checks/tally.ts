/** What a run of checks comes to. */

export interface Tally {
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly skipped: readonly Skip[]
  /** Those that passed, though not at the first try. */
  readonly unsteady: readonly Failure[]
}

/** Of one file of tests. */
export interface FileTally extends Tally {
  readonly file: string
}

export interface Failure {
  readonly name: string
  /** In the check's own words; lines. */
  readonly why: string
}

export interface Skip {
  readonly name: string
  readonly reason: string
}

const NOTHING: Tally = { passed: 0, failures: [], skipped: [], unsteady: [] }

export const passed = (count: number): Tally => ({ ...NOTHING, passed: count })
export const failed = (name: string, why: string): Tally => ({ ...NOTHING, failures: [{ name, why }] })
export const skipped = (name: string, reason: string): Tally => ({ ...NOTHING, skipped: [{ name, reason }] })

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, tally) => total + tally.passed, 0),
  failures: tallies.flatMap((tally) => tally.failures),
  skipped: tallies.flatMap((tally) => tally.skipped),
  unsteady: tallies.flatMap((tally) => tally.unsteady),
})

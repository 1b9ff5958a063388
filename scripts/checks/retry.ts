/**
 * Retries failed test files, because a busy machine is no fault of the product. The summary names each that needed it,
 * so that none stays hidden.
 */
import type { Failure, FileSummary } from './test-summary.ts'

/** More than this is not chance. */
const MOST = 5
/**
 * Recognizes property tests by fast-check's message, or a seed in a test's name. Another seed may well pass while the
 * rule is still broken.
 */
const RANDOM = /Property failed after|_SEED=/

/** Money and access: an intermittent fault must not pass at the second try. */
const NEVER =
  /^src\/(accounts|billing)\/|^e2e\/(spec\/)?(access-end|billing-address|denial-matrix|final-invoice|guards|impersonation|settings|staff-billing|staff-roles|staff-second-factor)\./

/** Returns the files to run again; none when too many failed. */
export function worthASecondTry(files: readonly FileSummary[]): string[] {
  const broken = files.filter(({ failures }) => failures.length > 0)
  if (broken.length > MOST) return []
  return broken.filter(({ file, failures }) => !NEVER.test(file) && !failures.some(isRandom)).map(({ file }) => file)
}

const isRandom = ({ name, why }: Failure): boolean => RANDOM.test(name) || RANDOM.test(why)

/** Returns the summaries of a run in which the files of `second` ran again. What fails again has failed. */
export function afterSecondTry(first: readonly FileSummary[], second: readonly FileSummary[]): FileSummary[] {
  const again = new Map(second.map((summary) => [summary.file, summary]))
  return first.map((summary) => {
    const retried = again.get(summary.file)
    if (!retried) return summary
    const stillFails = new Set(retried.failures.map(({ name }) => name))
    const mended = summary.failures.filter(({ name }) => !stillFails.has(name))
    return { ...retried, unsteady: [...retried.unsteady, ...mended] }
  })
}

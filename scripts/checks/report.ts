import { stripVTControlCharacters } from 'node:util'
import type { Failure, TestSummary } from './test-summary.ts'

/** Lines of a failure's reason. The full text is where it happened, which may be thousands of lines further up. */
const LINES = 12
const CHARACTERS = 240

/** Prints the result of the checks and sets the exit code. */
export function conclude(summary: TestSummary): void {
  console.log(summaryLine(summary))
  if (summary.failures.length > 0) process.exitCode = 1
}

/**
 * Lists what was skipped, what needed a retry and what failed, each with its reason, then the counts as the last line.
 */
export function summaryLine({ passed, failures, skipped, unsteady }: TestSummary): string {
  const byReason = Map.groupBy(skipped, (skip) => skip.reason)
  const skips = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  return [
    ...[...byReason].map(([reason, those]) => paragraph(`Skipped: ${reason}`, those.map(nameOf))),
    paragraph('Passed only at the second try; fix them:', unsteady.map(summaryText)),
    paragraph('Failed:', failures.map(summaryText)),
    `\n${passed} passed, ${failures.length} failed${skips}`,
  ]
    .filter(Boolean)
    .join('\n')
}

const paragraph = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `\n${[title, ...items].join('\n')}`

const nameOf = ({ name }: { readonly name: string }): string => `  ${name}`

function summaryText({ name, why }: Failure): string {
  const lines = stripVTControlCharacters(why)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, LINES)
    .map((line) => `    ${line.trimEnd().slice(0, CHARACTERS)}`)
  return [nameOf({ name }), ...lines].join('\n')
}

import type { Tally } from './static.ts'

/** Says what was skipped and why and what needed a second try, then the counts as the last line; the exit code tells as well. */
export function conclude(tally: Tally): void {
  const byReason = Map.groupBy(tally.skipped, (skip) => skip.reason)
  for (const [reason, skips] of byReason) {
    console.log(`\nSkipped: ${reason}`)
    for (const { name } of skips) console.log(`  ${name}`)
  }
  if (tally.unsteady?.length) console.log('\nPassed at the second try only, so mend them:')
  for (const name of tally.unsteady ?? []) console.log(`  ${name}`)
  const skipped = tally.skipped.length > 0 ? `, ${tally.skipped.length} skipped` : ''
  console.log(`\n${tally.passed} passed, ${tally.failed} failed${skipped}`)
  if (tally.failed > 0) process.exitCode = 1
}

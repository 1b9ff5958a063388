/** Runs the tests in a real browser, on the product as `npm start` runs it. */
import { findProgram } from '../system/packages.ts'
import { BROWSERS } from '../system/requirements.ts'
import { skipped, type TestSummary } from './test-summary.ts'
import { runVitest, type VitestRun } from './vitest.ts'

export async function runBrowserTests(how: Pick<VitestRun, 'args' | 'secondTry'>): Promise<TestSummary> {
  const found = await Promise.all(BROWSERS.map(findProgram))
  if (!found.some(Boolean)) return skipped('e2e', 'there is no Chromium: apt-get install chromium-headless-shell')
  return runVitest({ ...how, config: 'vitest.e2e.config.ts' })
}

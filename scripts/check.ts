/**
 * `npm run check`: types, lint, format, the size of the first load, and the quick tests, in under a minute. Run it
 * before each commit.
 */
import { checkFirstLoad } from './checks/first-load.ts'
import { runStaticChecks } from './checks/static.ts'
import { sum } from './checks/test-summary.ts'
import { conclude } from './checks/report.ts'
import { runVitest } from './checks/vitest.ts'
import { ensurePortal } from './portal.ts'

await ensurePortal(console.log)
conclude(
  sum(
    await Promise.all([
      runStaticChecks(),
      checkFirstLoad(),
      runVitest({ projects: ['database', 'rest'], env: { LONGHAUL_QUICK: '1' }, args: process.argv.slice(2) }),
    ]),
  ),
)

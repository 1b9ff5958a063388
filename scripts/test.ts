/** `npm test`: runs every suite that this machine can run, and names those that it cannot. */
import { availableParallelism } from 'node:os'
import { labSkipReason } from '../lab/network/index.ts'
import { runBrowserTests } from './checks/browser.ts'
import { runOnSecondDatabase } from './checks/second-database.ts'
import { checkFirstLoad } from './checks/first-load.ts'
import { runStaticChecks } from './checks/static.ts'
import { sum } from './checks/test-summary.ts'
import { conclude } from './checks/report.ts'
import { runVitest } from './checks/vitest.ts'
import { ensureRouterImage } from './router-image.ts'
import { ensurePortal } from './portal.ts'
import { ensureSystem } from './system.ts'

const { advice } = await ensureSystem({ forTests: true, say: console.log })
if (advice) console.log(advice)
// Real machines boot it; without it their suites report it as missing.
if (!advice && process.getuid?.() === 0 && !(await labSkipReason()))
  await ensureRouterImage(console.log).catch((error: Error) => console.log(error.message))
// Also generates the routes' types, which the portal's are checked against.
await ensurePortal(console.log)
const durations: string[] = []
const still = sum([await timed('static checks', runStaticChecks), await checkFirstLoad()])
const suites = await timed('units', () => runVitest({ projects: ['database', 'rest'], secondTry: true }))
// Daemons and machines leave the processors idle: they wait for timers of BGP, for a boot, for a kill to be noticed.
const meanwhile = await timed('machines and the second PostgreSQL', () =>
  Promise.all([
    runVitest({ projects: ['machines'], workers: availableParallelism(), secondTry: true }),
    runOnSecondDatabase(),
  ]),
)
const browser = await timed('browser', () => runBrowserTests({ secondTry: true }))
console.log(`\nMinutes: ${durations.join(', ')}`)
conclude(sum([still, suites, ...meanwhile, browser]))

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await work()
  durations.push(`${name} ${((performance.now() - began) / 60_000).toFixed(1)}`)
  return result
}

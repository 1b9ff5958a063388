/** `npm run e2e`: only the browser tests; arguments go to vitest. */
import { runBrowserTests } from './checks/browser.ts'
import { conclude } from './checks/report.ts'
import { ensurePortal } from './portal.ts'
import { ensureSystem } from './system.ts'

const { advice } = await ensureSystem({ forTests: true, say: console.log })
if (advice) console.log(advice)
await ensurePortal(console.log)
conclude(await runBrowserTests({ args: process.argv.slice(2) }))

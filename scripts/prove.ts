/**
 * `npm run prove [-- files]`: runs the tests that take minutes at full length. `npm test` runs a bounded sample of
 * each. They read PROVE to tell which is requested. It has no prefix LONGHAUL_: the product, which some of them start,
 * refuses such a name when it is no setting.
 */
import { ensurePortal } from './portal.ts'
import { ensureRouterImage } from './router-image.ts'
import { ensureSystem } from './system.ts'
import { conclude } from './checks/report.ts'
import { sum } from './checks/test-summary.ts'
import { runVitest } from './checks/vitest.ts'

const SUITES: readonly string[] = [
  'src/billing/charges/oracle.test.ts',
  'src/drivers/edge/scenarios/malformed-messages.test.ts',
  'src/drivers/edge/scenarios/apply.test.ts',
  'src/drivers/edge/scenarios/openbgpd-apply.test.ts',
  'src/drivers/hypervisor/conformance.test.ts',
  'src/routers/reboots.test.ts',
  'src/routers/frozen-libvirtd.test.ts',
  'scripts/isolation.test.ts',
  'scripts/faults.test.ts',
]
const PRODUCT: readonly string[] = ['e2e/crash.e2e.ts', 'e2e/start-and-stop.e2e.ts', 'e2e/random-requests.e2e.ts']
const HOUR_MS = 3_600_000

const { advice } = await ensureSystem({ forTests: true, say: console.log })
if (advice) console.log(advice)
else await ensureRouterImage(console.log)
await ensurePortal(console.log)
process.env['PROVE'] = '1'
const asked = process.argv.slice(2)
const suites = await runVitest({ args: [...(asked.length > 0 ? asked : SUITES), `--testTimeout=${HOUR_MS}`] })
const product = await runVitest({ config: 'vitest.e2e.config.ts', args: asked.length > 0 ? asked : PRODUCT })
conclude(sum([suites, product]))

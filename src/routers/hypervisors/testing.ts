/**
 * A second process beside a test app: it drives one hypervisor, receives change events, and hands consoles to others.
 */
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { createSimulatedHypervisor } from '../../drivers/hypervisor/simulated/index.ts'
import type { Hypervisor } from '../../drivers/hypervisor/index.ts'
import { createChangeBus, listenForChanges } from '../../platform/events.ts'
import { createHttp } from '../../platform/http/server.ts'
import type { AgentHandle } from '../../platform/leases/agent.ts'
import { createReconcilerStats } from '../../platform/reconcile.ts'
import { mountAgentConsoles } from '../consoles/agent-routes.ts'
import { hypervisorReconcilers } from '../index.ts'
import { SECRET_KEY, type TestApp } from '../testing.ts'
import { runHypervisorAgent } from './agent.ts'

/** What survives a process: its DATA_DIR and the machines of its host. */
export interface HypervisorSpec {
  readonly installation: string
  readonly hypervisor: Hypervisor
}

export const newHypervisor = (): HypervisorSpec => ({
  installation: randomUUID(),
  hypervisor: createSimulatedHypervisor({ bootMs: 10, shutdownMs: 5 }),
})

export type HypervisorAgentProcess = Awaited<ReturnType<typeof startHypervisorAgent>>

export async function startHypervisorAgent(
  testApp: TestApp,
  slug: string,
  { installation, hypervisor }: HypervisorSpec,
) {
  const { database, db, deps } = testApp
  const log = pino({ level: 'silent' })
  const bus = createChangeBus(log)
  const changeListener = await listenForChanges(database.url, bus)
  const { app } = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log,
    secretKey: SECRET_KEY,
    secure: false,
    authenticate: () => Promise.resolve(null),
  })
  const leased = new Map([[slug, hypervisor]])
  let agent: AgentHandle | undefined
  const term = () => agent?.term() ?? null
  mountAgentConsoles(app, { ...deps, log, hypervisors: leased, term: (of) => (of === slug ? term() : null) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  agent = await runHypervisorAgent({
    databaseUrl: database.url,
    db,
    bus,
    log,
    reconcilerStats: createReconcilerStats(),
    hypervisor,
    leaseRequest: { slug, installation, replaces: true, process: `the process of ${slug}`, url: () => url },
    reconcilers: hypervisorReconcilers({ ...deps, pricing: undefined, log, hypervisors: leased }),
    leased,
    onError: () => undefined,
  })
  return {
    url,
    term,
    machines: async () => (await hypervisor.list()).map(({ uuid }) => uuid),
    async end() {
      await agent.close()
      await changeListener.close()
      await app.close()
    },
  }
}

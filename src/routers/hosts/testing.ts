/** A second process beside a trial: it drives one hypervisor, hears the news, and hands consoles to others. */
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { createSimulatedHypervisor } from '../../drivers/hypervisor/simulated/index.ts'
import type { Hypervisor } from '../../drivers/hypervisor/index.ts'
import { createNewsBus, hearNews } from '../../platform/events.ts'
import { createHttp } from '../../platform/http/server.ts'
import type { Driving } from '../../platform/driving/drive.ts'
import { createReconcileBoard } from '../../platform/reconcile.ts'
import { mountHostConsoles } from '../consoles/host-routes.ts'
import { hostReconcilers } from '../index.ts'
import { SECRET_KEY, type Trial } from '../testing.ts'
import { driveHypervisor } from './drive.ts'

/** What stays when a process ends: its DATA_DIR and the machines of its host. */
export interface Place {
  readonly installation: string
  readonly hypervisor: Hypervisor
}

export const newPlace = (): Place => ({
  installation: randomUUID(),
  hypervisor: createSimulatedHypervisor({ bootMs: 10, shutdownMs: 5 }),
})

export type HostProcess = Awaited<ReturnType<typeof startHost>>

export async function startHost(trial: Trial, slug: string, { installation, hypervisor }: Place) {
  const { database, db, deps } = trial
  const log = pino({ level: 'silent' })
  const bus = createNewsBus(log)
  const hearing = await hearNews(database.url, bus)
  const { app } = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log,
    secretKey: SECRET_KEY,
    secure: false,
    authenticate: () => Promise.resolve(null),
  })
  const driven = new Map([[slug, hypervisor]])
  let driving: Driving | undefined
  const term = () => driving?.term() ?? null
  mountHostConsoles(app, { ...deps, log, hypervisors: driven, slug, term })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  driving = await driveHypervisor({
    databaseUrl: database.url,
    db,
    bus,
    log,
    board: createReconcileBoard(),
    hypervisor,
    claimant: { slug, installation, process: `the process of ${slug}`, url: () => url },
    reconcilers: hostReconcilers({ ...deps, pricing: undefined, log, hypervisors: driven }),
    driven,
    onTrouble: () => undefined,
  })
  return {
    url,
    term,
    machines: async () => (await hypervisor.list()).map(({ uuid }) => uuid),
    async end() {
      await driving.close()
      await hearing.close()
      await app.close()
    },
  }
}

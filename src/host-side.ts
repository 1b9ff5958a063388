/** What a process does that drives a hypervisor, whatever else it is: the reconcilers of its routers, and their consoles. */
import type { FastifyInstance } from 'fastify'
import { hostname } from 'node:os'
import type { AddressInfo } from 'node:net'
import type { Chosen } from './choose-drivers.ts'
import type { Hypervisor } from './drivers/hypervisor/index.ts'
import type { Clock } from './kernel/clock.ts'
import { readInstallation } from './kept-once.ts'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/index.ts'
import type { Driving } from './platform/driving/drive.ts'
import type { NewsBus } from './platform/events.ts'
import { guardDriver } from './platform/leases/index.ts'
import type { Log } from './platform/log.ts'
import type { ReconcileBoard, Reconciler } from './platform/reconcile.ts'
import { driveHypervisor, mountHostConsoles } from './routers/index.ts'

export interface HostSideOptions {
  readonly config: Pick<Config, 'DATA_DIR' | 'HOST' | 'HOST_URL' | 'ROLE' | 'drives'>
  readonly database: Database
  /** Null where this process drives none. */
  readonly hypervisor: Chosen<Hypervisor> | null
  readonly secretKey: string
  readonly clock: Clock
  readonly log: Log
  readonly bus: NewsBus
  readonly board: ReconcileBoard
}

export interface HostSide {
  /** What it drives now, by the short name. */
  readonly driven: ReadonlyMap<string, Hypervisor>
  /** The same for reconcilers: refuses every call outside of the lease. */
  readonly guarded: ReadonlyMap<string, Hypervisor>
  /** Whether it holds the claim: `driven` also holds what it only begins to drive. */
  readonly claims: () => boolean
  start(reconcilers: readonly Reconciler[]): Promise<void>
  close(): Promise<void>
}

const NOTHING = { claims: () => false, start: async () => undefined, close: async () => undefined }

export function createHostSide(app: FastifyInstance, options: HostSideOptions): HostSide {
  const { config, database, hypervisor, log, bus, board } = options
  const slug = config.drives
  const driven = new Map<string, Hypervisor>()
  if (slug === null || hypervisor === null) return { ...NOTHING, driven, guarded: driven }
  const guarded = new Map([[slug, guardDriver(hypervisor.driver)]])
  driven.set(slug, hypervisor.driver)
  let driving: Driving | undefined
  mountHostConsoles(app, { ...options, hypervisors: driven, slug, term: () => driving?.term() ?? null })
  return {
    driven,
    guarded,
    claims: () => (driving?.term() ?? null) !== null,
    async start(reconcilers) {
      driving = await driveHypervisor({
        databaseUrl: database.url,
        db: database.db,
        clock: options.clock,
        bus,
        log,
        board,
        hypervisor: hypervisor.driver,
        claimant: {
          slug,
          installation: await readInstallation(config.DATA_DIR),
          process: `${hostname()} (${config.ROLE}, process ${process.pid})`,
          url: () => config.HOST_URL ?? listeningUrl(app.server.address() as AddressInfo | null, config.HOST),
        },
        reconcilers,
        driven,
        onTrouble: (error) => log.warn({ err: error, hypervisor: slug }, 'the claim of a hypervisor is in trouble'),
      })
    },
    close: async () => driving?.close(),
  }
}

/** As others may reach it, null for one that nobody can: an address that stands for all of them is none, so the name of the host has to do. */
function listeningUrl(address: AddressInfo | null, host: string): string | null {
  if (address === null) return null
  const reached = host === '0.0.0.0' || host === '::' ? hostname() : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${address.port}`
}

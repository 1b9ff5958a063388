/**
 * The local environment of `npm start` on one machine: packages, libvirtd, the router image, and the network of the
 * demonstration. What is not available here is named, and the portal simulates it and says so.
 */
import path from 'node:path'
import { labSkipReason } from '../lab/network/index.ts'
import { secondSiteOf } from '../lab/second-site.ts'
import { startLab, type Lab } from '../lab/start.ts'
import { createLibvirt } from '../src/drivers/hypervisor/libvirt/index.ts'
import type { Config } from '../src/platform/config.ts'
import { ensureDataDir } from '../src/platform/data-dir.ts'
import { lockFile } from '../src/platform/process-lock.ts'
import { ensureRouterImage, IMAGES } from './router-image.ts'
import { ensureLibvirtd, ensureSystem, LIBVIRT_SOCKET } from './system.ts'

export interface LocalEnvironment {
  /** Settings for the portal, by variable. The operator's own settings are kept. */
  readonly env: Readonly<Record<string, string>>
  readonly upstreamSocket: string | null
  stop(): Promise<void>
}

type Say = (line: string) => void

/** Longer than an orderly shutdown of a start takes, machines included. */
const END_WITHIN_MS = 20_000

/** Settings with which an operator names their own network; if one is set, the demonstration's is not started. */
const OWN_ENVIRONMENT = ['EDGE_SOCKET', 'LIBVIRT_BRIDGE', 'RTR_SERVER', 'RPKI_JSON', 'IRR_SERVER', 'RDAP_URL'] as const

export async function startLocalEnvironment(config: Config, say: Say): Promise<LocalEnvironment> {
  const undo: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) {
      await step().catch((error: unknown) =>
        say(`While clearing up: ${error instanceof Error ? error.message : String(error)}`),
      )
    }
  }
  const own = OWN_ENVIRONMENT.filter((name) => config[name] !== undefined)
  if (own.length > 0) {
    say(
      `Using the network that ${own.join(', ')} name${own.length === 1 ? 's' : ''}; the demonstration's is not started.`,
    )
    return { env: {}, upstreamSocket: null, stop }
  }
  const letGo = await lockLocalEnvironment(config.DATA_DIR, say)
  undo.push(() => Promise.resolve(letGo()))
  try {
    const ready = await prepareMachine(config, say)
    const libvirtd = ready.compute ? await orSimulate(config, say, () => ensureLibvirtd(say)) : null
    if (libvirtd) undo.push(() => libvirtd.release())
    const lab = await startLab({
      instance: config.instance,
      directory: path.join(config.DATA_DIR, 'lab'),
      network: ready.edge,
    })
    undo.push(() => lab.stop())
    const compute =
      libvirtd && ready.edge ? await orSimulate(config, say, () => prepareCompute(config, lab, say)) : null
    if (compute) undo.push(() => compute.stop())
    const edge = ready.edge ? { EDGE: 'bird' } : {}
    return { env: { ...lab.env, ...edge, ...compute?.env }, upstreamSocket: lab.upstreamSocket, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Two starts on the same data would share one network, and the first to end would remove it from the other. */
async function lockLocalEnvironment(dataDir: string, say: Say): Promise<() => void> {
  await ensureDataDir(dataDir)
  const file = path.join(dataDir, 'stand.lock')
  const atOnce = await lockFile(file, 0)
  if (atOnce) return atOnce
  say(`Another start uses ${dataDir}. Waiting for it to end ...`)
  const later = await lockFile(file, END_WITHIN_MS)
  if (later) return later
  throw new Error(`Another start runs on ${dataDir} already. End it first, or give this one a DATA_DIR of its own.`)
}

/**
 * Prepares this machine as a hypervisor and an edge router, as far as possible. If a requested part is not possible,
 * the start ends.
 */
async function prepareMachine(config: Config, say: Say): Promise<{ compute: boolean; edge: boolean }> {
  if (config.COMPUTE === 'simulated' && config.EDGE === 'simulated') return { compute: false, edge: false }
  const system = await ensureSystem({ say })
  const root = process.getuid?.() === 0
  const skipReason =
    system.advice ?? (root ? await labSkipReason() : 'Network namespaces and bridges need root. Run: sudo npm start')
  if (!skipReason) return { compute: config.COMPUTE !== 'simulated', edge: config.EDGE !== 'simulated' }
  if (config.COMPUTE === 'libvirt' || config.EDGE === 'bird') throw new Error(skipReason)
  say(`${skipReason}\nUntil then routers and the edge are simulated; the staff's screens say so.`)
  return { compute: false, edge: false }
}

/** Simulates a part of the machines that is not available here, unless real ones were requested. */
async function orSimulate<T>(config: Config, say: Say, prepare: () => Promise<T>): Promise<T | null> {
  try {
    return await prepare()
  } catch (error) {
    if (config.COMPUTE === 'libvirt') throw error
    const reason = error instanceof Error ? error.message : String(error)
    say(`${reason}\nUntil then routers are simulated; the staff's screens say so.`)
    return null
  }
}

async function prepareCompute(
  config: Config,
  lab: Lab,
  say: Say,
): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  await ensureRouterImage(say)
  return {
    env: { COMPUTE: 'libvirt', IMAGE_DIR: IMAGES, LIBVIRT_SOCKET },
    stop: () => stopMachines(config, lab),
  }
}

/** The bridge is removed with the lab, so its routers stop first; the portal restarts those that should run. */
async function stopMachines(config: Config, lab: Lab): Promise<void> {
  for (const { instance } of [config, secondSiteOf(config)]) {
    const hypervisor = createLibvirt({
      socket: LIBVIRT_SOCKET,
      instance,
      bridge: lab.env['LIBVIRT_BRIDGE']!,
      imageDirectory: IMAGES,
      poolDirectory: `/var/lib/libvirt/images/longhaul-${instance}`,
    })
    try {
      const machines = await hypervisor.list()
      await Promise.all(machines.map(({ uuid }) => hypervisor.stop(uuid, { mode: 'force' })))
    } finally {
      await hypervisor.close()
    }
  }
}

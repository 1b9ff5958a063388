/**
 * The network of the demonstration: an edge router and its upstream, each a BIRD in a network namespace, and the bridge
 * that the customers' routers connect to. Needs root, iproute2 and bird2.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareBirdDirectory } from '../../src/drivers/edge/bird/prepare.ts'
import { prepareOpenbgpdDirectory } from '../../src/drivers/edge/openbgpd/prepare.ts'
import { LAB } from './addresses.ts'
import { ensureBird } from './bird-daemon.ts'
import { edgeConf } from './edge-conf.ts'
import { ensureLinks, removeLinks } from './links.ts'
import { openbgpdConf } from './openbgpd-conf.ts'
import { ensureOpenbgpd } from './openbgpd-daemon.ts'
import { labNames, type LabNames } from './names.ts'
import { ensureRtrCache } from './rtr-cache.ts'
import { upstreamConf } from './upstream-conf.ts'

export { LAB } from './addresses.ts'
export { FULL_TABLE, type TableRoute } from './full-table.ts'
export { labSkipReason, openbgpdSkipReason } from './obstacle.ts'

export interface LabOptions {
  /** Six hexadecimal characters; every name on the machine includes them. */
  readonly instance: string
  /**
   * Where the two routers keep configuration and logs. It stays when the network is removed, like a router's own disk.
   */
  readonly directory: string
  /** The edge's software; BIRD unless given. The upstream is always a BIRD. */
  readonly product?: 'bird' | 'openbgpd'
  /**
   * Starts an RTR cache inside the edge's namespace on 127.0.0.1, serving `data`/vrps.json. Without it there is no RPKI
   * data.
   */
  readonly rtr?: { readonly port: number; readonly data: string }
}

export interface LabNetwork {
  readonly names: LabNames
  /** The bridge for the routers' ports. */
  readonly bridge: string
  readonly edge: { readonly socket: string; readonly directory: string }
  readonly upstream: { readonly socket: string }
  /** Calls {@link stopNetwork} for this instance. */
  stop(): Promise<void>
}

/**
 * Creates what is missing and takes over what exists, also from an owner that was killed. Safe to repeat at any time.
 */
export async function ensureNetwork(options: LabOptions): Promise<LabNetwork> {
  const { instance, directory, rtr, product = 'bird' } = options
  const names = labNames(instance)
  const edge = { socket: join(names.runDirectory, 'edge.ctl'), directory: join(directory, 'edge') }
  const upstream = { socket: join(names.runDirectory, 'upstream.ctl'), directory: join(directory, 'upstream') }
  await mkdir(names.runDirectory, { recursive: true })
  await mkdir(join(edge.directory, 'local'), { recursive: true })
  const prepare = product === 'bird' ? prepareBirdDirectory : prepareOpenbgpdDirectory
  await prepare(edge.directory, { localAsn: LAB.operatorAsn, routerId: LAB.routerId })
  await ensureLinks(names)
  if (rtr) {
    const log = join(edge.directory, 'rtr.log')
    await ensureRtrCache({ ...rtr, namespace: names.edgeNamespace, log, runDirectory: names.runDirectory })
  }
  await ensureBird({ ...upstream, namespace: names.upstreamNamespace, conf: upstreamConf(upstream) })
  const conf = { ...edge, ...(rtr && { rtrPort: rtr.port }) }
  const daemon = { ...edge, namespace: names.edgeNamespace }
  if (product === 'bird') await ensureBird({ ...daemon, conf: edgeConf(conf) })
  else {
    for (const name of ['local', 'last'])
      await writeFile(join(edge.directory, 'local', `${name}.conf`), '', { flag: 'a', mode: 0o600 })
    await ensureOpenbgpd({ ...daemon, conf: openbgpdConf(conf) })
  }
  return { names, bridge: names.bridge, edge, upstream: { socket: upstream.socket }, stop: () => stopNetwork(instance) }
}

/** Ends the instance's daemons and removes its namespaces, links and sockets; its directory stays. */
export async function stopNetwork(instance: string): Promise<void> {
  const names = labNames(instance)
  await removeLinks(names)
  await rm(names.runDirectory, { recursive: true, force: true })
}

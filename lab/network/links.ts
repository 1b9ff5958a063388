import { LAB } from './addresses.ts'
import { at, inNamespace, ip, linkExists, namespaceExists, namespacePids } from './ip.ts'
import type { LabNames } from './names.ts'

/**
 * Creates namespaces, bridge, links and addresses. Every step checks first, so a partial lab is completed and a
 * complete one kept.
 */
export async function ensureLinks(names: LabNames): Promise<void> {
  const { edgeNamespace: edge, upstreamNamespace: upstream } = names
  for (const namespace of [edge, upstream]) await ensureNamespace(namespace)
  await ensureBridge(names)
  if (!(await linkExists('seg0', edge)))
    await ip('link', 'add', names.edgePort, 'type', 'veth', 'peer', 'name', 'seg0', 'netns', edge)
  await ip('link', 'set', names.edgePort, 'master', names.bridge, 'addrgenmode', 'none', 'up')
  if (!(await linkExists('up0', edge)))
    await ip('link', 'add', 'up0', 'netns', edge, 'type', 'veth', 'peer', 'name', 'edge0', 'netns', upstream)

  for (const family of [4, 6] as const) {
    const { segment, secondSegment, link, internet } = LAB
    for (const { gateway, prefixLength } of [segment[family], secondSegment[family]])
      await ensureAddress(edge, 'seg0', `${gateway}/${prefixLength}`)
    await ensureAddress(edge, 'up0', `${link[family].edge}/${link[family].prefixLength}`)
    await ensureAddress(upstream, 'edge0', `${link[family].upstream}/${link[family].prefixLength}`)
    await ensureAddress(upstream, 'lo', `${internet[family]}/${family === 4 ? 32 : 128}`)
  }
  await ip('-netns', edge, 'link', 'set', 'seg0', 'up')
  await ip('-netns', edge, 'link', 'set', 'up0', 'up')
  await ip('-netns', upstream, 'link', 'set', 'edge0', 'up')
}

async function ensureNamespace(namespace: string): Promise<void> {
  if (!(await namespaceExists(namespace))) await ip('netns', 'add', namespace)
  await ip('-netns', namespace, 'link', 'set', 'lo', 'up')
  await inNamespace(namespace, 'sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1')
}

/** Only a switch: the host has no address on it, so guests reach the edge and never the host. */
async function ensureBridge(names: LabNames): Promise<void> {
  if (!(await linkExists(names.bridge))) await ip('link', 'add', names.bridge, 'type', 'bridge', 'mcast_snooping', '0')
  await ip('link', 'set', names.bridge, 'address', names.bridgeMac, 'addrgenmode', 'none', 'up')
}

/** Without duplicate address detection: the address must be usable when the daemons start, not a second later. */
async function ensureAddress(namespace: string, link: string, address: string): Promise<void> {
  const nodad = address.includes(':') ? ['nodad'] : []
  await ip(...at(namespace), 'address', 'replace', address, 'dev', link, ...nodad)
}

/** Ends the processes in the namespaces and removes everything. Missing parts are no error. */
export async function removeLinks(names: LabNames): Promise<void> {
  const namespaces: string[] = []
  for (const namespace of [names.edgeNamespace, names.upstreamNamespace])
    if (await namespaceExists(namespace)) namespaces.push(namespace)
  for (const namespace of namespaces) await endProcesses(namespace)
  // Before the namespaces: the kernel removes a namespace's links with a delay, and their other ends with them.
  for (const link of [names.edgePort, names.bridge]) if (await linkExists(link)) await ip('link', 'delete', link)
  for (const namespace of namespaces) await ip('netns', 'delete', namespace)
}

async function endProcesses(namespace: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of await namespacePids(namespace)) signalIfAlive(pid, signal)
    for (let wait = 0; wait < 30 && (await namespacePids(namespace)).length > 0; wait++)
      await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

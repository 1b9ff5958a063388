/** Keeps the rules of {@link writePortTable} in the kernel: before a router starts, and after they were flushed. */
import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'
import { HypervisorError } from '../index.ts'
import { filterName, type Host, type PortRules } from './host.ts'
import { listMachines } from './list.ts'
import { writePortTable, type TapPort } from './port-table.ts'
import { defineFilter, listFilterNames, readFilter } from './rpc/storage.ts'
import { tapName, tapPrefix } from './xml/domain.ts'
import { readFilteredPort } from './xml/filter.ts'

const run = promisify(execFile)
const DEADLINE_MS = 20_000
const LISTING_BYTES = 64 << 20

/** libvirt's filters are the desired state: they exist before a machine does, and are removed after it. */
export function createPortRules(instance: string): PortRules {
  const table = `lh_${instance}`
  const known = new Map<string, { readonly xml: string; readonly port: TapPort }>()
  /** The rules that were last loaded, and how the kernel lists them; null until this process has loaded any. */
  let loaded: { readonly wanted: string; readonly listing: string | null } | null = null

  const keep = async (host: Host, look: boolean): Promise<boolean> => {
    const ports = await readPorts(host, known)
    const wanted = ports.length === 0 ? '' : writePortTable(table, tapPrefix(instance), ports)
    if (loaded?.wanted === wanted && !look) return false
    const listing = await list(table)
    if (loaded?.wanted === wanted && loaded.listing === listing) return false
    const repairs = loaded !== null && loaded.listing !== listing
    // One transaction: a port is never without rules.
    await nft(['-f', '-'], `table bridge ${table}\ndelete table bridge ${table}\n${wanted}`)
    loaded = { wanted, listing: await list(table) }
    // A flush of all rulesets also removes libvirt's rules, which libvirt sets only when a filter changes.
    if (repairs && listing === null) await setAgain(host, known)
    return repairs
  }
  return {
    update: async (host) => {
      await host.serially('ports', () => keep(host, false))
    },
    verify: (host) => host.serially('ports', () => keep(host, true)),
  }
}

/**
 * Throws if a port that is filtered here belongs to a bridge in another namespace: the rules would see none of its
 * frames.
 */
export async function requirePortsHere(host: Host): Promise<void> {
  for (const { uuid, state } of await listMachines(host)) {
    const tap = tapName(host.instance, uuid)
    if (state !== 'running' || (await exists(`/sys/class/net/${tap}`))) continue
    // It may have been stopped since.
    const again = (await listMachines(host)).find((machine) => machine.uuid === uuid)
    if (again?.state !== 'running' || (await exists(`/sys/class/net/${tap}`))) continue
    throw new HypervisorError(
      'refused',
      `The port ${tap} of a running router is not in the network namespace of this process, so nothing keeps it to its own IPv6 addresses. Run the process in the namespace of libvirtd.`,
    )
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

async function readPorts(host: Host, known: Map<string, { xml: string; port: TapPort }>): Promise<TapPort[]> {
  const connection = await host.control.get()
  const prefix = filterName(host, '')
  const ports: TapPort[] = []
  const names = (await listFilterNames(connection)).filter((name) => name.startsWith(prefix))
  for (const name of names) {
    const xml = await readFilter(connection, name)
    if (xml === null) continue
    const before = known.get(name)
    if (before?.xml === xml) {
      ports.push(before.port)
      continue
    }
    const filtered = readFilteredPort(xml)
    // A filter made by hand, or an old one without an address: its port may send no neighbor discovery.
    if (filtered === null) continue
    const port = { tap: tapName(host.instance, name.slice(prefix.length)), ...filtered }
    known.set(name, { xml, port })
    ports.push(port)
  }
  for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
  return ports
}

/** Adds a redundant drop rule and removes it again. */
async function setAgain(host: Host, known: ReadonlyMap<string, { readonly xml: string }>): Promise<void> {
  const connection = await host.control.get()
  for (const [name, { xml }] of known) {
    const rule = "<rule action='drop' direction='out' priority='901'><mac/></rule>"
    await defineFilter(connection, name, xml.replace('</filter>', `${rule}</filter>`))
    await defineFilter(connection, name, xml)
  }
}

/** Lists with handles, so that an equal replacement of a rule is noticed. Returns null if there is no such table. */
async function list(table: string): Promise<string | null> {
  try {
    const text = await nft(['--handle', '--numeric', 'list', 'table', 'bridge', table], '')
    // The kernel does not keep the order of elements.
    return text
      .split(/[\s,]+/)
      .toSorted()
      .join(' ')
  } catch (error) {
    if (error instanceof HypervisorError && /No such file or directory/.test(error.message)) return null
    throw error
  }
}

async function nft(args: readonly string[], input: string): Promise<string> {
  const running = run('nft', args, { timeout: DEADLINE_MS, maxBuffer: LISTING_BYTES })
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(input)
  try {
    return (await running).stdout
  } catch (error) {
    const { code, stderr = '', message } = error as Error & { code?: unknown; stderr?: string }
    const why = code === 'ENOENT' ? 'nft is not installed (package nftables)' : stderr.trim() || message
    throw new HypervisorError('refused', `${WITHOUT_RULES} ${advice(why)}`, { cause: error })
  }
}

const WITHOUT_RULES = 'The rules that keep routers to their own IPv6 addresses cannot be set.'

function advice(why: string): string {
  const words = why.split('\n')[0]!.slice(0, 200)
  return /not permitted|Permission denied/.test(why)
    ? `nft says "${words}": give this process CAP_NET_ADMIN, as the units in deploy/ do, and start it again.`
    : `nft says "${words}".`
}

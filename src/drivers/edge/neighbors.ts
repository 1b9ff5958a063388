/** The neighbor tables of the machine that runs the edge's daemon (ARP, and RFC 4861), written with iproute2. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { formatAddress, parseAddress } from '../../kernel/prefix.ts'
import { EdgeError, type SegmentHost } from './index.ts'

const run = promisify(execFile)
const DEADLINE_MS = 20_000
const OUTPUT_BYTES = 64 << 20
/** Distinguishes our entries from the operator's; the kernel only stores it. */
const OUR_PROTOCOL = '76'

const addressesSchema = z.array(
  z.object({
    ifname: z.string().optional(),
    addr_info: z.array(z.object({ local: z.string().optional() })).optional(),
  }),
)
const entriesSchema = z.array(
  z.object({ dst: z.string(), dev: z.string(), lladdr: z.string().optional(), protocol: z.string().optional() }),
)

interface Entry {
  readonly address: string
  readonly link: string
  readonly mac: string | null
  readonly ours: boolean
}

const keyOf = ({ address, link }: Pick<Entry, 'address' | 'link'>): string => `${link} ${address}`

/** `namespace`: the name of the network namespace; null for this process's. */
export function createNeighborTable(namespace: string | null) {
  const at = namespace === null ? [] : ['-netns', namespace]

  const permanent = async (): Promise<Entry[]> => {
    const text = await ip([...at, '-json', 'neighbour', 'show', 'nud', 'permanent'])
    return entriesSchema.parse(JSON.parse(text || '[]')).map((entry) => ({
      address: canonical(entry.dst),
      link: entry.dev,
      mac: entry.lladdr?.toLowerCase() ?? null,
      ours: entry.protocol === OUR_PROTOCOL,
    }))
  }

  return {
    async pin(hosts: readonly SegmentHost[]): Promise<{ changed: number }> {
      const links = await readLinks(at)
      const wanted = new Map<string, { address: string; link: string; mac: string }>()
      const unreachable = new Set<string>()
      for (const { address, mac, gateway } of hosts) {
        const link = links.get(canonical(gateway))
        if (link === undefined) unreachable.add(gateway)
        else {
          const entry = { address: canonical(address), link, mac: mac.toLowerCase() }
          wanted.set(keyOf(entry), entry)
        }
      }
      const present = new Map((await permanent()).map((entry) => [keyOf(entry), entry]))
      const commands = [
        ...[...present.values()]
          .filter((entry) => entry.ours && !wanted.has(keyOf(entry)))
          .map(({ address, link }) => `neighbour del ${address} dev ${link}`),
        ...[...wanted.values()]
          .filter((entry) => present.get(keyOf(entry))?.mac !== entry.mac || !present.get(keyOf(entry))!.ours)
          .map(
            ({ address, link, mac }) =>
              `neighbour replace ${address} lladdr ${mac} nud permanent dev ${link} protocol ${OUR_PROTOCOL}`,
          ),
      ]
      // A failed entry must not keep the others from being written.
      if (commands.length > 0) await ip([...at, '-force', '-batch', '-'], `${commands.join('\n')}\n`)
      if (unreachable.size > 0)
        throw new EdgeError(
          'refused',
          `No interface of this machine has ${[...unreachable].join(', ')}, the gateway of a pool: the routers behind it are not pinned. Set the address up here, or let the edge that has it serve the site; where the daemon runs in a network namespace of its own, name it in EDGE_NAMESPACE.`,
        )
      return { changed: commands.length }
    },

    pinned: async (): Promise<{ address: string; mac: string }[]> =>
      (await permanent()).flatMap(({ address, mac, ours }) => (ours && mac !== null ? [{ address, mac }] : [])),
  }
}

/** Finds the interface of an address. */
async function readLinks(at: readonly string[]): Promise<Map<string, string>> {
  const links = addressesSchema.parse(JSON.parse(await ip([...at, '-json', 'address', 'show'])))
  return new Map(
    links.flatMap(({ ifname, addr_info: addresses = [] }) =>
      addresses.flatMap(({ local }) => (ifname && local ? [[canonical(local), ifname] as const] : [])),
    ),
  )
}

function canonical(text: string): string {
  const address = parseAddress(text)
  return address === null ? text : formatAddress(address)
}

async function ip(args: readonly string[], input = ''): Promise<string> {
  const running = run('ip', args, { timeout: DEADLINE_MS, maxBuffer: OUTPUT_BYTES })
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(input)
  try {
    return (await running).stdout
  } catch (error) {
    const { code, stderr = '', message } = error as Error & { code?: unknown; stderr?: string }
    const why = (stderr.trim() || message).split('\n')[0]!.slice(0, 200)
    if (code === 'ENOENT')
      throw new EdgeError('refused', 'ip is not installed (package iproute2): no neighbour can be pinned.')
    const advice = /not permitted|Permission denied/.test(why)
      ? ' Give this process CAP_NET_ADMIN, as the units in deploy/ do, and start it again.'
      : ''
    throw new EdgeError('refused', `The neighbour table cannot be written: ip says "${why}".${advice}`, {
      cause: error,
    })
  }
}

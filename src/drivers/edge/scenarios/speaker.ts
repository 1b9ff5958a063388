import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LAB, type LabNetwork } from '../../../../lab/network/index.ts'
import { ip } from '../../../../lab/network/ip.ts'
import { BirdControl, expectSuccess } from '../bird/control.ts'
import type { EdgeNeighbor } from '../index.ts'

const run = promisify(execFile)

/** A route that the customer's router originates. */
export interface Announcement {
  readonly prefix: string
  /** The AS path behind the customer's own AS, nearest first. */
  readonly path?: readonly number[]
  readonly communities?: readonly (readonly [number, number])[]
  readonly largeCommunities?: readonly (readonly [number, number, number])[]
  readonly nextHop?: string
}

export interface SpeakerOptions {
  /** The last byte of its addresses on the segment. */
  readonly host: number
  readonly asn: number
  /** Leaves its own AS out of the path, as a forged route would. */
  readonly hidesOwnAs?: boolean
  readonly password?: string
  /** Runs BFD with our edge. */
  readonly bfd?: boolean
  /** Answers on its own loopback, so that pings have a destination. */
  readonly addresses?: readonly string[]
}

/** A customer's router: a BIRD in its own namespace on an isolated port of the segment. */
export interface Speaker {
  readonly neighbors: readonly EdgeNeighbor[]
  readonly namespace: string
  announce(routes: readonly Announcement[]): Promise<void>
  /** Returns BIRD's reply, line by line. */
  ask(command: string): Promise<string[]>
  stop(): Promise<void>
}

/** A host on the segment: a namespace on an isolated port, with one address of each family. */
export interface Host {
  readonly namespace: string
  readonly own: Readonly<Record<4 | 6, string>>
  /** A folder for its files. */
  readonly files: string
  /** A folder for control sockets, whose paths must be short. */
  readonly socket: string
  readonly neighbors: readonly EdgeNeighbor[]
  /** Ends every process in it. */
  stop(): Promise<void>
}

export async function attachHost(
  network: Pick<LabNetwork, 'names' | 'bridge'>,
  directory: string,
  { host, addresses = [] }: Pick<SpeakerOptions, 'host' | 'addresses'>,
): Promise<Host> {
  const namespace = network.names.edgeNamespace.replace(/edge$/, `c${host}`)
  const port = network.names.edgePort.replace(/^lhe/, `lhc${host}`)
  const own = { 4: `203.0.113.${host}`, 6: `2001:db8:100::${host.toString(16)}` } as const
  const files = join(directory, `speaker-${host}`)

  await mkdir(files, { recursive: true })
  await ip('netns', 'add', namespace)
  await ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  await ip('link', 'set', port, 'master', network.bridge, 'addrgenmode', 'none', 'up')
  await run('bridge', ['link', 'set', 'dev', port, 'isolated', 'on'])
  await ip('-netns', namespace, 'address', 'add', `${own[4]}/24`, 'dev', 'eth0')
  await ip('-netns', namespace, 'address', 'add', `${own[6]}/64`, 'dev', 'eth0', 'nodad')
  for (const address of addresses) await ip('-netns', namespace, 'address', 'add', address, 'dev', 'lo')
  for (const link of ['lo', 'eth0']) await ip('-netns', namespace, 'link', 'set', link, 'up')
  return {
    namespace,
    own,
    files,
    socket: join(network.names.runDirectory, `c${host}.ctl`),
    neighbors: ([4, 6] as const).map((family) => ({
      family,
      localAddress: LAB.segment[family].gateway,
      peerAddress: own[family],
    })),
    stop: async () => {
      for (const pid of (await ip('netns', 'pids', namespace)).split('\n').filter(Boolean)) {
        try {
          process.kill(Number(pid), 'SIGKILL')
        } catch (error) {
          // It ended with the previous one.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
      await ip('netns', 'delete', namespace)
    },
  }
}

export async function startSpeaker(
  network: Pick<LabNetwork, 'names' | 'bridge'>,
  directory: string,
  options: SpeakerOptions,
): Promise<Speaker> {
  const host = await attachHost(network, directory, options)
  const { own, files, socket } = host
  const conf = join(files, 'bird.conf')
  await writeFile(conf, speakerConf(options, own, []))
  await ip('netns', 'exec', host.namespace, 'bird', '-c', conf, '-s', socket)

  const ask = async (command: string): Promise<string[]> => {
    using control = await BirdControl.connect(socket, { restricted: false })
    return expectSuccess(await control.command(command)).lines.map((line) => line.text)
  }
  return {
    namespace: host.namespace,
    neighbors: host.neighbors,
    ask,
    announce: async (routes) => {
      await writeFile(conf, speakerConf(options, own, routes))
      await ask('configure')
    },
    stop: () => host.stop(),
  }
}

function speakerConf(
  options: SpeakerOptions,
  own: Readonly<Record<4 | 6, string>>,
  routes: readonly Announcement[],
): string {
  const family = (route: Announcement): 4 | 6 => (route.prefix.includes(':') ? 6 : 4)
  return `router id ${own[4]};
protocol device { }
${options.bfd ? BFD : ''}
${([4, 6] as const)
  .map(
    (version) => `
protocol static routes${version} {
  ipv${version};
${routes
  .filter((route) => family(route) === version)
  .map(staticRoute)
  .join('\n')}
}
filter out${version} {
  if source != RTS_STATIC then reject;
${routes
  .filter((route) => family(route) === version && route.nextHop)
  .map((route) => `  if net = ${route.prefix} then bgp_next_hop = ${route.nextHop};`)
  .join('\n')}
  accept;
}
protocol kernel kernel${version} { ipv${version} { import none; export where source = RTS_BGP; }; }
protocol bgp transit${version} {
  local ${own[version]} as ${options.asn};
  neighbor ${LAB.segment[version].gateway} as ${LAB.operatorAsn};
  ${options.hidesOwnAs ? 'rs client;' : 'local role customer;'}
  ${options.password ? `password "${options.password}";` : ''}
  ${options.bfd ? 'bfd on;' : ''}
  ttl security on;
  connect delay time 1;
  connect retry time 2;
  error wait time 1, 2;
  ipv${version} { import all; export filter out${version}; };
}`,
  )
  .join('\n')}
`
}

const BFD = 'protocol bfd { accept direct; interface "*" { interval 300 ms; multiplier 3; }; }'

function staticRoute(route: Announcement): string {
  const attributes = [
    'bgp_path.empty;',
    ...(route.path ?? []).toReversed().map((asn) => `bgp_path.prepend(${asn});`),
    ...(route.communities ?? []).map((pair) => `bgp_community.add((${pair.join(', ')}));`),
    ...(route.largeCommunities ?? []).map((triple) => `bgp_large_community.add((${triple.join(', ')}));`),
  ]
  return `  route ${route.prefix} blackhole { ${attributes.join(' ')} };`
}

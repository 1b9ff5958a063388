/**
 * Customers' routers of four implementations that pass on whatever a feeder behind them sends. The feeder is
 * `raw-speaker.ts`. This is what a careless network between an attacker and us would do.
 */
import { execFile, spawn } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LAB, type LabNetwork } from '../../../../lab/network/index.ts'
import { ip } from '../../../../lab/network/ip.ts'
import { ensureOpenbgpd } from '../../../../lab/network/openbgpd-daemon.ts'
import { attachHost, type Host } from './speaker.ts'

const run = promisify(execFile)

export const RELAYS = ['bird', 'frr', 'gobgp', 'openbgpd'] as const
type RelayKind = (typeof RELAYS)[number]

const PROGRAMS: Readonly<Record<RelayKind, string>> = {
  bird: '/usr/sbin/bird',
  frr: '/usr/lib/frr/bgpd',
  gobgp: '/usr/bin/gobgpd',
  openbgpd: '/usr/sbin/bgpd',
}
const PACKAGES: Readonly<Record<RelayKind, string>> = {
  bird: 'bird2',
  frr: 'frr',
  gobgp: 'gobgpd',
  openbgpd: 'openbgpd',
}

/** Returns why a relay cannot run here, or null if it can. */
export const relaySkipReason = async (kind: RelayKind): Promise<string | null> =>
  access(PROGRAMS[kind]).then(
    () => null,
    () => `needs the package ${PACKAGES[kind]}`,
  )

/** Both ends of the session between feeder and relay, inside the relay's namespace. */
export const FEED = { feeder: '127.0.0.2', relay: '127.0.0.1' } as const

interface RelayOptions {
  readonly host: number
  readonly asn: number
  readonly feederAsn: number
}

export async function startRelay(
  network: Pick<LabNetwork, 'names' | 'bridge'>,
  directory: string,
  kind: RelayKind,
  options: RelayOptions,
): Promise<Host> {
  const host = await attachHost(network, directory, options)
  const inside = (...command: string[]) => ['netns', 'exec', host.namespace, ...command]
  if (kind === 'bird') {
    const conf = join(host.files, 'bird.conf')
    await writeFile(conf, birdConf(host, options))
    await ip(...inside('bird', '-c', conf, '-s', host.socket))
  } else if (kind === 'frr') {
    const conf = join(host.files, 'bgpd.conf')
    await mkdir(join(host.files, 'vty'), { recursive: true })
    await writeFile(conf, frrConf(host, options))
    // As the user who runs the test, and without zebra: nothing must reach the kernel.
    const files = ['-f', conf, '-i', join(host.files, 'bgpd.pid'), '--vty_socket', join(host.files, 'vty')]
    await run('ip', inside(PROGRAMS.frr, '-d', '-Z', '-S', ...files, '-A', '127.0.0.1'))
  } else if (kind === 'openbgpd') {
    const { namespace, files, socket } = host
    await ensureOpenbgpd({ namespace, directory: files, socket, conf: openbgpdConf(host, options) })
  } else {
    const conf = join(host.files, 'gobgpd.toml')
    await writeFile(conf, gobgpConf(host, options))
    spawn('ip', inside(PROGRAMS.gobgp, '-f', conf, '--api-hosts', '127.0.0.1:50051', '-l', 'error'), {
      stdio: 'ignore',
    })
  }
  return host
}

const birdConf = ({ own }: Host, { asn, feederAsn }: RelayOptions): string => `router id ${own[4]};
protocol device { }
protocol direct { ipv4; ipv6; }
${([4, 6] as const)
  .map(
    (version) => `
protocol bgp transit${version} {
  local ${own[version]} as ${asn};
  neighbor ${LAB.segment[version].gateway} as ${LAB.operatorAsn};
  ttl security on;
  connect delay time 1; connect retry time 2; error wait time 1, 2;
  ipv${version} { import none; export where source = RTS_BGP; next hop self; };
}`,
  )
  .join('\n')}
protocol bgp feed {
  local ${FEED.relay} as ${asn};
  neighbor ${FEED.feeder} as ${feederAsn};
  multihop; passive; enforce first as off;
  ipv4 { import all; export none; };
  ipv6 { import all; export none; };
}
`

const frrConf = ({ own }: Host, { asn, feederAsn }: RelayOptions): string => `frr defaults datacenter
router bgp ${asn}
 bgp router-id ${own[4]}
 no bgp ebgp-requires-policy
 no bgp network import-check
 no bgp suppress-duplicates
 no bgp enforce-first-as
 neighbor ${LAB.segment[4].gateway} remote-as ${LAB.operatorAsn}
 neighbor ${LAB.segment[4].gateway} ttl-security hops 1
 neighbor ${LAB.segment[4].gateway} timers connect 1
 neighbor ${LAB.segment[6].gateway} remote-as ${LAB.operatorAsn}
 neighbor ${LAB.segment[6].gateway} ttl-security hops 1
 neighbor ${LAB.segment[6].gateway} timers connect 1
 neighbor ${FEED.feeder} remote-as ${feederAsn}
 neighbor ${FEED.feeder} passive
 neighbor ${FEED.feeder} update-source ${FEED.relay}
 neighbor ${FEED.feeder} ebgp-multihop 2
 neighbor ${FEED.feeder} disable-connected-check
 address-family ipv4 unicast
  no neighbor ${LAB.segment[6].gateway} activate
 exit-address-family
 address-family ipv6 unicast
  neighbor ${LAB.segment[6].gateway} activate
  neighbor ${FEED.feeder} activate
 exit-address-family
`

/**
 * Newer versions reject AS_SETs unless configured otherwise (RFC 9774). The feeder's next hop, which is on the segment,
 * would be passed on unchanged.
 */
const openbgpdConf = ({ own, socket }: Host, { asn, feederAsn }: RelayOptions): string => `AS ${asn}
router-id ${own[4]}
fib-update no
socket "${socket}"
reject as-set no
${([4, 6] as const)
  .map(
    (version) => `neighbor ${LAB.segment[version].gateway} {
  remote-as ${LAB.operatorAsn}
  local-address ${own[version]}
  ttl-security yes
  set nexthop self
}`,
  )
  .join('\n')}
neighbor ${FEED.feeder} {
  remote-as ${feederAsn}
  local-address ${FEED.relay}
  passive
  multihop 2
  enforce neighbor-as no
  enforce local-as no
  announce IPv4 unicast
  announce IPv6 unicast
}
allow from any
allow to any
deny to ${FEED.feeder}
`

const gobgpConf = ({ own }: Host, { asn, feederAsn }: RelayOptions): string => {
  const families = (...names: string[]): string =>
    names.map((name) => `[[neighbors.afi-safis]]\n[neighbors.afi-safis.config]\nafi-safi-name = "${name}"\n`).join('')
  const edges = ([4, 6] as const).map(
    (version) => `[[neighbors]]
[neighbors.config]
neighbor-address = "${LAB.segment[version].gateway}"
peer-as = ${LAB.operatorAsn}
[neighbors.transport.config]
local-address = "${own[version]}"
[neighbors.ttl-security.config]
enabled = true
ttl-min = 255
[neighbors.timers.config]
connect-retry = 5
idle-hold-time-after-reset = 1
${families(`ipv${version}-unicast`)}`,
  )
  return `[global.config]
as = ${asn}
router-id = "${own[4]}"
${edges.join('')}[[neighbors]]
[neighbors.config]
neighbor-address = "${FEED.feeder}"
peer-as = ${feederAsn}
[neighbors.transport.config]
passive-mode = true
local-address = "${FEED.relay}"
[neighbors.ebgp-multihop.config]
enabled = true
multihop-ttl = 2
${families('ipv4-unicast', 'ipv6-unicast')}`
}

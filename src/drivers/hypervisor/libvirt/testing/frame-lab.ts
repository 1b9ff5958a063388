/**
 * A segment with a router's port on it. Frames go through a tunnel to the guest, which bridges them to its own port, so
 * the guest needs no compiled program. Frames that leave the port are captured at the gateway and at another router.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { GuestChannel } from '../../index.ts'
import type { Segment } from './frames.ts'

const run = promisify(execFile)

const TUNNEL = { toGuest: 5, gateway: 1, neighbor: 2 } as const
const SETTLED_MS = 400

export const SEGMENT: Segment = {
  own: { mac: '52:54:00:0a:0b:0c', v4: '203.0.113.9', v6: '2001:db8:100::9', linkLocal: 'fe80::5054:ff:fe0a:b0c' },
  routed: { v4: '45.30.10.1', v6: '2d10:10::1' },
  victim: { mac: '52:54:00:0a:0b:0d', v4: '203.0.113.10', v6: '2001:db8:100::a', linkLocal: 'fe80::5054:ff:fe0a:b0d' },
  gateway: { mac: '02:00:00:00:00:01', v4: '203.0.113.1', v6: '2001:db8:100::1', linkLocal: 'fe80::ff:fe00:1' },
  free: { v4: '203.0.113.77', v6: '2001:db8:100::77', linkLocal: 'fe80::77' },
}

/** Bridges the guest's port and the end of the tunnel. */
export async function openTunnel(guest: GuestChannel): Promise<void> {
  const script = [
    'modprobe -a bridge vxlan',
    'ip() { /usr/sbin/ip "$@"; }',
    'ip link add br0 type bridge mcast_snooping 0 forward_delay 0',
    `ip link set br0 address ${SEGMENT.own.mac}`,
    `ip link add vx0 type vxlan id ${TUNNEL.toGuest} dstport 4789 nolearning`,
    'for port in wan0 vx0; do ip link set $port master br0 up; done',
    // The bridge would learn forged senders, and send frames for them back.
    'ip link set vx0 type bridge_slave learning off',
    'ip link set br0 up',
    `ip address add ${SEGMENT.own.v4}/24 dev br0`,
    `ip address add ${SEGMENT.own.v6}/64 dev br0 nodad`,
    `ip route add default via ${SEGMENT.gateway.v4} dev br0`,
  ].join(' && ')
  const { exitCode, stderr } = await guest.exec(['sh', '-c', script])
  if (exitCode !== 0) throw new Error(`the tunnel of the guest was not made: ${stderr}`)
}

export interface FrameLab {
  /** The namespace of the gateway, whose link is `gate`. */
  readonly gateway: string
  /** The namespace of another router; its port is isolated like every router's. Its link is `port`. */
  readonly neighbor: string
  /** Sends each frame from inside the guest; resolves when no more of them arrive. */
  send(frames: readonly Buffer[]): Promise<void>
  /** The frames that were seen so far, in hexadecimal. */
  readonly seen: { readonly gateway: Set<string>; readonly neighbor: Set<string> }
  close(): Promise<void>
}

export async function openFrameLab(bridge: string): Promise<FrameLab> {
  const mark = bridge.slice(3)
  const [gateway, neighbor, tester] = [`lhg${mark}`, `lhn${mark}`, `lht${mark}`]
  const ip = (...args: string[]) => run('ip', args)
  const { own, victim, gateway: gate } = SEGMENT
  const namespaces = [gateway, neighbor, tester]
  const cables = [`lhc${mark}`, `lhd${mark}`]
  // As on the demonstration's segment: every port gets every listener report.
  await ip('link', 'set', bridge, 'type', 'bridge', 'mcast_snooping', '0')
  for (const namespace of namespaces) {
    await ip('netns', 'add', namespace)
    await ip('-n', namespace, 'link', 'set', 'lo', 'up')
  }
  await attach(bridge, cables[0]!, gateway, 'gate', gate.mac)
  await attach(bridge, cables[1]!, neighbor, 'port', victim.mac)
  await run('bridge', ['link', 'set', 'dev', cables[1]!, 'isolated', 'on'])
  await ip('-n', gateway, 'address', 'add', `${gate.v4}/24`, 'dev', 'gate')
  await ip('-n', gateway, 'address', 'add', `${gate.v6}/64`, 'dev', 'gate', 'nodad')
  await ip('-n', neighbor, 'address', 'add', `${victim.v4}/24`, 'dev', 'port')
  await ip('-n', neighbor, 'address', 'add', `${victim.v6}/64`, 'dev', 'port', 'nodad')

  // Each has a point-to-point link to the tester: the tunnels end there, since a namespace has only one listener on
  // their port.
  for (const [namespace, link, tunnel, watched, subnet] of [
    [gateway, 'lab0', TUNNEL.gateway, 'gate', '198.51.100.0'],
    [neighbor, 'lab1', TUNNEL.neighbor, 'port', '198.51.100.2'],
  ] as const) {
    const here = subnet
    const there = subnet.replace(/\d+$/, (host) => String(Number(host) + 1))
    await ip('-n', namespace, 'link', 'add', 'lab', 'type', 'veth', 'peer', 'name', link, 'netns', tester)
    await ip('-n', namespace, 'address', 'add', `${here}/31`, 'dev', 'lab')
    await ip('-n', tester, 'address', 'add', `${there}/31`, 'dev', link)
    await ip('-n', namespace, 'link', 'set', 'lab', 'mtu', '1600', 'up')
    await ip('-n', tester, 'link', 'set', link, 'mtu', '1600', 'up')
    const ends = ['id', String(tunnel), 'local', here, 'remote', there, 'dstport', '4789', 'nolearning']
    await ip('-n', namespace, 'link', 'add', 'watch', 'type', 'vxlan', ...ends)
    await ip('-n', namespace, 'link', 'set', 'watch', 'up')
    const rules = `table netdev watch {
      chain frames { type filter hook ingress device "${watched}" priority -500; policy accept; dup to "watch"
      }\n}\n`
    const loaded = run('ip', ['netns', 'exec', namespace, 'nft', '-f', '-'])
    loaded.child.stdin!.end(rules)
    await loaded
  }
  await ip('-n', tester, 'route', 'add', `${own.v4}/32`, 'via', '198.51.100.0')
  await run('ip', ['netns', 'exec', gateway, 'sysctl', '-qw', 'net.ipv4.ip_forward=1'])

  const program = path.join(import.meta.dirname, 'frame-exchange.ts')
  const helper = spawn('ip', ['netns', 'exec', tester, process.execPath, program, own.v4, String(TUNNEL.toGuest)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const seen = { gateway: new Set<string>(), neighbor: new Set<string>() }
  let heardAt = performance.now()
  const lines = createInterface({ input: helper.stdout })
  await once(lines, 'line')
  lines.on('line', (line) => {
    heardAt = performance.now()
    const [tunnel, frame] = line.split(' ') as [string, string]
    seen[Number(tunnel) === TUNNEL.gateway ? 'gateway' : 'neighbor'].add(frame)
  })

  return {
    gateway,
    neighbor,
    seen,
    async send(frames) {
      for (const frame of frames) helper.stdin.write(`${frame.toString('hex')}\n`)
      heardAt = performance.now()
      while (performance.now() - heardAt < SETTLED_MS) await sleep(50)
    },
    async close() {
      const gone = once(helper, 'exit')
      helper.kill('SIGTERM')
      await gone
      for (const cable of cables) await ip('link', 'del', cable).catch(() => {})
      for (const namespace of namespaces) await ip('netns', 'del', namespace).catch(() => {})
    },
  }
}

async function attach(bridge: string, cable: string, namespace: string, link: string, mac: string): Promise<void> {
  const peer = ['peer', 'name', link, 'address', mac, 'netns', namespace]
  await run('ip', ['link', 'add', cable, 'type', 'veth', ...peer])
  await run('ip', ['link', 'set', cable, 'master', bridge, 'addrgenmode', 'none', 'up'])
  await run('ip', ['-n', namespace, 'link', 'set', link, 'up'])
}

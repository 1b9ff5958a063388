/**
 * The files that a guest finds at boot (`images/README.md`), and the routing configuration that it gets while it runs.
 * The only customer input in them is a host name, checked again, and parsed SSH keys.
 */
import { parseAddress, parsePrefix } from '../kernel/prefix.ts'
import { macOf, type Pool } from './addresses.ts'

export interface GuestParameters {
  readonly routerId: number
  readonly name: string
  readonly sshKeys: readonly string[]
  readonly address4: string
  readonly address6: string
  readonly pool: Pool
}

/**
 * The portal's part of BIRD's configuration, which it rewrites while the guest runs. The guest includes it before the
 * owner's files.
 */
export const GUEST_BIRD_CONF = '/etc/vr/bird.conf'

/**
 * Returns the boot files by path, as `MachineSpec` takes them. `contributed` are the sections of BIRD's configuration
 * from other slices.
 */
export function bootFiles(parameters: GuestParameters, contributed: string): Record<string, string> {
  return {
    hostname: `${hostName(parameters.name)}\n`,
    macs: `${macOf(parameters.routerId)} wan0\n`,
    'ip.batch': ipBatch(parameters),
    authorized_keys: parameters.sshKeys.map((key) => `${sshKey(key)}\n`).join(''),
    'bird.conf': birdConf(parameters, contributed),
  }
}

/** BGP's routes get the kernel protocol's metric, 32, so they win over the default route that the guest boots with. */
const BOOT_ROUTE_METRIC = 1024

function ipBatch(parameters: GuestParameters): string {
  const { pool } = parameters
  return [
    'link set wan0 up',
    `address add ${v4(parameters.address4)}/${parsePrefix(pool.prefix4).length} dev wan0`,
    // Without duplicate address detection: the lease guarantees the address, and BGP must not wait for it.
    `address add ${v6(parameters.address6)}/${parsePrefix(pool.prefix6).length} dev wan0 nodad`,
    `route add default via ${v4(pool.gateway4)} dev wan0 metric ${BOOT_ROUTE_METRIC}`,
    `route add default via ${v6(pool.gateway6)} dev wan0 metric ${BOOT_ROUTE_METRIC}`,
    '',
  ].join('\n')
}

/** Every protocol name has the prefix `lh_`, so that none collides with a name in the owner's files (decision 25). */
export function birdConf(parameters: Pick<GuestParameters, 'name' | 'address4'>, contributed: string): string {
  return `# ${hostName(parameters.name)}: written by the portal, changes made here are overwritten.
# Put your own configuration into /data/bird.d/*.conf.
log syslog all;
router id ${v4(parameters.address4)};

protocol device lh_device {}

protocol kernel lh_kernel4 {
  ipv4 { import none; export all; };
}

protocol kernel lh_kernel6 {
  ipv6 { import none; export all; };
}
${contributed === '' ? '' : `\n${contributed}`}`
}

function hostName(name: string): string {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(name)) throw new TypeError(`"${name}" is no host name`)
  return name.toLowerCase()
}

function sshKey(key: string): string {
  if (!/^[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}$/.test(key)) throw new TypeError('an SSH key holds what a key cannot hold')
  return key
}

const v4 = (text: string): string => checked(text, 4)
const v6 = (text: string): string => checked(text, 6)
function checked(text: string, family: 4 | 6): string {
  if (parseAddress(text)?.family !== family) throw new TypeError(`"${text}" is not IPv${family} addresses`)
  return text
}

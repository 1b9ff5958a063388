import { createHash } from 'node:crypto'
import type { MachineSpec } from '../../index.ts'
import type { BootImage } from '../images.ts'
import { find, readXml } from './read.ts'
import { xml, type Xml } from './write.ts'

/** The mark that identifies our machines. The name is only for display and never looked up. */
const METADATA = 'urn:longhaul:machine:1'

/** The parts of a machine's definition that depend on the host. */
export interface MachinePaths {
  readonly instance: string
  readonly name: string
  readonly acceleration: 'kvm' | 'tcg'
  readonly bridge: string | null
  readonly image: BootImage
  readonly disk: string
  readonly bootFiles: string
  readonly filter: string
}

export interface MachineMark {
  readonly instance: string
  readonly label: string
  /** Digest of the definition: equal digests mean equal machines. */
  readonly digest: string
  /** GiB */
  readonly diskSize: number
}

/**
 * QEMU's translation cache is a gigabyte by default: a 192 MiB router would use 1.5 GiB of the host. 128 MiB made no
 * difference to the time of a boot; at 16 MiB a reboot took twice as long.
 */
export const TRANSLATION_CACHE_MIB = 128

/** Writes the definition of a machine, and the digest in it. */
export function writeDomain(spec: MachineSpec, paths: MachinePaths): { xml: string; digest: string } {
  const body = writeBody(spec, paths)
  const digest = createHash('sha256').update(`${paths.image.digest}\n${spec.diskSize}\n${body.text}`).digest('hex')
  const mark = xml`<lh:machine xmlns:lh='${METADATA}' instance='${paths.instance}' label='${spec.label}' digest='${digest}' diskSize='${spec.diskSize}'/>`
  const document = xml`<domain type='${paths.acceleration === 'kvm' ? 'kvm' : 'qemu'}'>
<name>${paths.name}</name><uuid>${spec.uuid}</uuid><title>${spec.label}</title><metadata>${mark}</metadata>${body}</domain>`
  return { xml: document.text, digest }
}

export function readMark(domainXml: string): MachineMark | null {
  const metadata = find(readXml(domainXml), 'metadata')
  for (const element of metadata?.children ?? []) {
    const isOurs = [...element.attributes].some(([key, value]) => key.startsWith('xmlns') && value === METADATA)
    if (!isOurs) continue
    const { attributes } = element
    const [instance, label, digest] = [attributes.get('instance'), attributes.get('label'), attributes.get('digest')]
    if (instance !== undefined && label !== undefined && digest !== undefined)
      return { instance, label, digest, diskSize: Number(attributes.get('diskSize') ?? Number.NaN) }
  }
  return null
}

/** Returns the path of the display's socket while the machine runs. */
export function readDisplaySocket(domainXml: string): string | null {
  const graphics = find(readXml(domainXml), 'devices', 'graphics')
  const listen = graphics?.children.find((child) => child.attributes.get('type') === 'socket')
  return listen?.attributes.get('socket') ?? graphics?.attributes.get('socket') ?? null
}

function writeBody(spec: MachineSpec, paths: MachinePaths): Xml {
  const { image } = paths
  return xml`
<memory unit='MiB'>${spec.memory}</memory><vcpu>${spec.cpus}</vcpu>
<sysinfo type='fwcfg'><entry name='opt/vr/config' file='${paths.bootFiles}'/></sysinfo>
<os><type arch='x86_64' machine='q35'>hvm</type><kernel>${image.kernel}</kernel><initrd>${image.initrd}</initrd><cmdline>${image.cmdline}</cmdline></os>
${paths.acceleration === 'kvm' ? HARDWARE_FEATURES : EMULATED_FEATURES}
<on_poweroff>destroy</on_poweroff><on_reboot>restart</on_reboot><on_crash>destroy</on_crash>
<devices>
<disk type='file' device='disk'><driver name='qemu' type='qcow2' cache='none' discard='unmap'/><source file='${paths.disk}'/><target dev='vda' bus='virtio'/></disk>
${paths.bridge === null ? [] : writeInterface(spec, paths, paths.bridge)}
<serial type='pty'><target port='0'/></serial><console type='pty'><target type='serial' port='0'/></console>
<channel type='unix'><target type='virtio' name='org.qemu.guest_agent.0'/></channel>
<graphics type='vnc'><listen type='socket'/></graphics><video><model type='vga'/></video>
<memballoon model='virtio'><stats period='10'/></memballoon><rng model='virtio'><backend model='random'>/dev/urandom</backend></rng>
</devices>`
}

const HARDWARE_FEATURES = xml`<features><acpi/></features><cpu mode='host-passthrough'/>`
const EMULATED_FEATURES = xml`<features><acpi/><tcg><tb-cache unit='MiB'>${TRANSLATION_CACHE_MIB}</tb-cache></tcg></features><cpu mode='maximum'/>`

/** Isolated: routers on the segment reach its gateway and never each other, whatever addresses they claim. */
function writeInterface(spec: MachineSpec, paths: MachinePaths, bridge: string): Xml {
  return xml`<interface type='bridge'><mac address='${spec.nic.mac}'/><source bridge='${bridge}'/>
<target dev='${tapName(paths.instance, spec.uuid)}'/><model type='virtio'/><port isolated='yes'/>
<filterref filter='${paths.filter}'/><rom enabled='no'/></interface>`
}

/** Linux allows fifteen characters for an interface (IFNAMSIZ): two, six of the instance, seven of the machine. */
export function tapName(instance: string, uuid: string): string {
  return `${tapPrefix(instance)}${uuid.replaceAll('-', '').slice(0, 7)}`
}

/** The prefix of the port names of all machines of an instance. */
export const tapPrefix = (instance: string): string => `lh${instance.slice(0, 6)}`

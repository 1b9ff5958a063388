import { chmod, chown, readFile, stat } from 'node:fs/promises'

const DEVICE = '/dev/kvm'
const GROUP_MAY_USE = 0o060
const ALL_MAY_USE = 0o006

/**
 * Without udev the device often belongs only to root, or in a container to a group by its number outside. Then libvirt,
 * as root, finds KVM usable, but its QEMU user does not. It repeats the check at every look-up, which takes seconds each,
 * and seems to hang. Returns a description of what was done, or undefined when nothing was needed.
 */
export async function openKvmDevice(): Promise<string | undefined> {
  const found = await stat(DEVICE).catch(() => undefined)
  if (!found || process.getuid?.() !== 0 || (found.mode & ALL_MAY_USE) === ALL_MAY_USE) return undefined
  const group = await findGroup('kvm')
  if (group === undefined || (found.gid === group && (found.mode & GROUP_MAY_USE) === GROUP_MAY_USE)) return undefined
  await chown(DEVICE, 0, group)
  await chmod(DEVICE, 0o660)
  return `Gave ${DEVICE} to the group kvm (mode 0660): libvirt stalls when QEMU's user may not open it.`
}

async function findGroup(name: string): Promise<number | undefined> {
  const line = (await readFile('/etc/group', 'utf8')).split('\n').find((entry) => entry.startsWith(`${name}:`))
  return line === undefined ? undefined : Number(line.split(':')[2])
}

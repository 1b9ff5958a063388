import { parsePrefix, PrefixError } from '../../kernel/prefix.ts'
import { HypervisorError, type MachineSpec } from './index.ts'

/** Rejects an invalid machine before any of it is created. */
export function checkSpec(spec: MachineSpec): void {
  const require = (holds: boolean, what: string) => {
    if (!holds) throw new HypervisorError('refused', `this machine cannot be made: ${what}`)
  }
  const within = (value: number, low: number, high: number) => Number.isInteger(value) && value >= low && value <= high
  require(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(spec.uuid), 'its UUID is not one in lower case')
  require(/^[a-z0-9-]{1,40}$/.test(spec.label), 'its label is not 1 to 40 characters of a-z, 0-9 and -')
  require(within(spec.cpus, 1, 64), 'it has between 1 and 64 CPUs')
  require(within(spec.memory, 64, 1 << 20), 'its memory is between 64 MiB and 1 TiB')
  require(within(spec.diskSize, 1, 16_384), 'its disk is between 1 GiB and 16 TiB')
  // Bit 0 would make it a group address; bit 1 marks it as locally administered (IEEE 802).
  require(/^[0-9a-f][26ae](:[0-9a-f]{2}){5}$/.test(spec.nic.mac), 'its MAC address is not a locally administered one')
  for (const path of Object.keys(spec.bootFiles))
    require(isBootFilePath(path), `"${path.slice(0, 60)}" is not a path that the guest takes a boot file from`)
  for (const source of spec.nic.allowedSources) {
    const fault = faultOfPrefix(source)
    require(fault === null, `an allowed source cannot be read: ${fault}`)
  }
}

/** Returns whether a path is relative and without leading dots, so that it unpacks below the guest's own folder. */
export function isBootFilePath(path: string): boolean {
  return path.length < 100 && /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/.test(path)
}

function faultOfPrefix(text: string): string | null {
  try {
    parsePrefix(text)
    return null
  } catch (error) {
    if (error instanceof PrefixError) return error.message
    throw error
  }
}

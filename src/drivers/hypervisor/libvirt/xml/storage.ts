import { xml } from './write.ts'

/**
 * A folder pool for disks. It is transient: it is created again whenever libvirt has forgotten it, and leaves no trace.
 */
export function writePool(name: string, directory: string): string {
  return xml`<pool type='dir'><name>${name}</name><target><path>${directory}</path></target></pool>`.text
}

/** An empty disk that grows as it is written. `gibibytes` is the size that the guest sees. */
export function writeVolume(name: string, gibibytes: number): string {
  return xml`<volume><name>${name}</name><capacity unit='GiB'>${gibibytes}</capacity><allocation>0</allocation>
<target><format type='qcow2'/><permissions><mode>0600</mode></permissions></target></volume>`.text
}

import { xml } from './write.ts'

/** A folder of disks. Transient: it is made again whenever libvirt has forgotten it, and leaves no trace of its own. */
export function writePool(name: string, directory: string): string {
  return xml`<pool type='dir'><name>${name}</name><target><path>${directory}</path></target></pool>`.text
}

/** An empty disk that grows as it is written. `gibibytes` is what the guest sees. */
export function writeVolume(name: string, gibibytes: number): string {
  return xml`<volume><name>${name}</name><capacity unit='GiB'>${gibibytes}</capacity><allocation>0</allocation>
<target><format type='qcow2'/><permissions><mode>0600</mode></permissions></target></volume>`.text
}

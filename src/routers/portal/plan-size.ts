import { gibibytes, mebibytes } from '../../ui/components/quantity.ts'

interface Size {
  readonly cpus: number
  /** MiB and GiB. */
  readonly memory: number
  readonly diskSize: number
}

/** `2 cores, 1 GiB, 8 GiB disk` */
export function planSize({ cpus, memory, diskSize }: Size): string {
  const cores = cpus === 1 ? '1 core' : `${cpus} cores`
  const text = ({ number, unit }: { number: string; unit: string }) => `${number} ${unit}`
  return `${cores}, ${text(mebibytes(memory))}, ${text(gibibytes(diskSize))} disk`
}

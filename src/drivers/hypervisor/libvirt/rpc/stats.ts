/** libvirt's bulk statistics of all domains, and its version. */
import type { Connection } from './connection.ts'
import { readDomain, type DomainRef } from './domains.ts'
import { PROCEDURES } from './procedures.ts'
import { XdrError, XdrWriter, type XdrReader } from './xdr.ts'

export const STATS = { state: 1, cpu: 2, balloon: 4, net: 16 } as const
/** Omits values for which a busy machine would have to be waited for. */
const NO_WAIT = 0x2000_0000

export interface DomainStats {
  readonly domain: DomainRef
  readonly fields: ReadonlyMap<string, number | bigint | boolean | string>
}

/** Uses one message for all domains of the host. */
export async function readAllStats(connection: Connection, which: number, deadlineMs?: number): Promise<DomainStats[]> {
  const body = new XdrWriter()
    .array([], () => {})
    .uint(which)
    .uint(NO_WAIT)
    .finish()
  const reader = await connection.call(PROCEDURES.domainStats, body, deadlineMs)
  return reader.array(() => ({
    domain: readDomain(reader),
    fields: new Map(reader.array(() => [reader.string(), readValue(reader)] as const)),
  }))
}

export async function readVersions(connection: Connection): Promise<{ libvirt: string; qemu: string }> {
  const libvirt = (await connection.call(PROCEDURES.libraryVersion)).uhyper()
  const qemu = (await connection.call(PROCEDURES.version)).uhyper()
  return { libvirt: dotted(libvirt), qemu: dotted(qemu) }
}

/** Reads a typed parameter: its discriminant, then its value. */
function readValue(reader: XdrReader): number | bigint | boolean | string {
  const type = reader.int()
  switch (type) {
    case 1:
      return reader.int()
    case 2:
      return reader.uint()
    case 3:
      return reader.hyper()
    case 4:
      return reader.uhyper()
    case 5:
      return reader.double()
    case 6:
      return reader.int() !== 0
    case 7:
      return reader.string()
    default:
      throw new XdrError(`a parameter of type ${type} is unknown`)
  }
}

/** libvirt encodes a version as one number: 1 000 000 × major + 1 000 × minor + release. */
function dotted(version: bigint): string {
  return [version / 1_000_000n, (version / 1000n) % 1000n, version % 1000n].join('.')
}

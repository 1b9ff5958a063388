/** libvirt's calls for storage and network filters, typed. */
import type { Connection } from './connection.ts'
import { orNull } from './domains.ts'
import { CODE, hasCode } from './errors.ts'
import { PROCEDURES } from './procedures.ts'
import { XdrWriter, type XdrReader } from './xdr.ts'

/** A pool or a filter: a name and sixteen bytes of UUID. */
interface NamedRef {
  readonly name: string
  readonly uuid: Buffer
}

export interface VolumeRef {
  readonly pool: string
  readonly name: string
  /** The path of the volume, for a folder pool. */
  readonly key: string
}

/** Returns the pool, and creates it if libvirt has none of that name. */
export async function ensurePool(connection: Connection, name: string, xml: string): Promise<NamedRef> {
  const lookup = () => connection.call(PROCEDURES.poolLookup, new XdrWriter().string(name).finish()).then(readNamed)
  const existing = await orNull(lookup(), CODE.noPool)
  if (existing !== null) return existing
  try {
    return readNamed(await connection.call(PROCEDURES.poolCreateXml, new XdrWriter().string(xml).uint(0).finish()))
  } catch (error) {
    // Another machine's first step was faster.
    return orNull(lookup(), CODE.noPool).then((pool) => pool ?? Promise.reject(error))
  }
}

export async function destroyPool(connection: Connection, pool: NamedRef): Promise<void> {
  const body = writeNamed(new XdrWriter(), pool).finish()
  await orNull(connection.call(PROCEDURES.poolDestroy, body), CODE.noPool, CODE.invalidState)
}

export async function lookupVolume(connection: Connection, pool: NamedRef, name: string): Promise<VolumeRef | null> {
  const body = writeNamed(new XdrWriter(), pool).string(name).finish()
  return orNull(connection.call(PROCEDURES.volumeLookup, body).then(readVolume), CODE.noVolume)
}

/** Creates the volume; an existing one is used as it is. */
export async function createVolume(
  connection: Connection,
  pool: NamedRef,
  name: string,
  xml: string,
): Promise<VolumeRef> {
  const body = writeNamed(new XdrWriter(), pool).string(xml).uint(0).finish()
  try {
    return readVolume(await connection.call(PROCEDURES.volumeCreateXml, body))
  } catch (error) {
    const existing = hasCode(error, CODE.volumeExists) ? await lookupVolume(connection, pool, name) : null
    if (existing !== null) return existing
    throw error
  }
}

/** Returns the size that the guest sees. */
export async function readVolumeCapacity(connection: Connection, volume: VolumeRef): Promise<bigint> {
  const reader = await connection.call(PROCEDURES.volumeInfo, writeVolume(new XdrWriter(), volume).finish())
  reader.int() // the kind of volume: ours are files
  return reader.uhyper()
}

export async function resizeVolume(connection: Connection, volume: VolumeRef, bytes: bigint): Promise<void> {
  const body = writeVolume(new XdrWriter(), volume).uhyper(bytes).uint(0).finish()
  await connection.call(PROCEDURES.volumeResize, body)
}

export async function deleteVolume(connection: Connection, volume: VolumeRef): Promise<void> {
  const body = writeVolume(new XdrWriter(), volume).uint(0).finish()
  await orNull(connection.call(PROCEDURES.volumeDelete, body), CODE.noVolume)
}

/** Defines the filter and returns whether it changed: libvirt compares, and leaves an equal one alone. */
export async function defineFilter(connection: Connection, name: string, xml: string): Promise<boolean> {
  const before = await lookupFilter(connection, name)
  const earlier = before === null ? null : await readFilterXml(connection, before)
  const defined = readNamed(await connection.call(PROCEDURES.filterDefine, new XdrWriter().string(xml).finish()))
  return earlier === null || earlier !== (await readFilterXml(connection, defined))
}

export async function undefineFilter(connection: Connection, name: string): Promise<void> {
  const filter = await lookupFilter(connection, name)
  if (filter === null) return
  const body = writeNamed(new XdrWriter(), filter).finish()
  await orNull(connection.call(PROCEDURES.filterUndefine, body), CODE.noFilter)
}

/** Returns every filter that libvirt has, including those of others. */
export async function listFilterNames(connection: Connection): Promise<string[]> {
  const reader = await connection.call(PROCEDURES.filterList, new XdrWriter().int(1).uint(0).finish())
  return reader.array(() => readNamed(reader).name)
}

/** Returns the filter as libvirt prints it; null if there is none of that name. */
export async function readFilter(connection: Connection, name: string): Promise<string | null> {
  const filter = await lookupFilter(connection, name)
  return filter === null ? null : orNull(readFilterXml(connection, filter), CODE.noFilter)
}

async function lookupFilter(connection: Connection, name: string): Promise<NamedRef | null> {
  const body = new XdrWriter().string(name).finish()
  return orNull(connection.call(PROCEDURES.filterLookup, body).then(readNamed), CODE.noFilter)
}

async function readFilterXml(connection: Connection, filter: NamedRef): Promise<string> {
  return (await connection.call(PROCEDURES.filterXml, writeNamed(new XdrWriter(), filter).uint(0).finish())).string()
}

function readNamed(reader: XdrReader): NamedRef {
  return { name: reader.string(), uuid: reader.opaque(16) }
}

function writeNamed(writer: XdrWriter, ref: NamedRef): XdrWriter {
  return writer.string(ref.name).opaque(ref.uuid)
}

function readVolume(reader: XdrReader): VolumeRef {
  return { pool: reader.string(), name: reader.string(), key: reader.string() }
}

function writeVolume(writer: XdrWriter, volume: VolumeRef): XdrWriter {
  return writer.string(volume.pool).string(volume.name).string(volume.key)
}

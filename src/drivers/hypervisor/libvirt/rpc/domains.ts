/** libvirt's calls for domains, typed. Each is one message; the driver combines them. */
import type { Connection } from './connection.ts'
import { CODE, hasCode } from './errors.ts'
import { EVENT_IDS, PROCEDURES, type Procedure } from './procedures.ts'
import type { RpcStream } from './stream.ts'
import { XdrReader, XdrWriter } from './xdr.ts'

/** How the protocol names a domain: all three travel together, and the UUID decides. */
export interface DomainRef {
  readonly name: string
  readonly uuid: string
  readonly id: number
}

export const DOMAIN_STATE = { paused: 3, shuttingDown: 4, off: 5, crashed: 6, suspended: 7 } as const
/** The reason of the state "off" when the guest shut down, and when QEMU crashed. */
export const OFF_SHUTDOWN = 1
export const OFF_CRASHED = 3

export const SHUTDOWN_BY = { acpi: 1, agent: 2 } as const
const DEFINE_VALIDATE = 1
const UNDEFINE_NVRAM = 4
const XML_INACTIVE = 2
const CONSOLE_FORCE = 1

export async function lookupDomain(connection: Connection, uuid: string): Promise<DomainRef | null> {
  const call = connection.call(PROCEDURES.domainLookup, new XdrWriter().opaque(uuidBytes(uuid)).finish())
  return orNull(call.then(readDomain), CODE.noDomain)
}

export async function lookupDomainByName(connection: Connection, name: string): Promise<DomainRef | null> {
  const call = connection.call(PROCEDURES.domainLookupName, new XdrWriter().string(name).finish())
  return orNull(call.then(readDomain), CODE.noDomain)
}

export async function defineDomain(connection: Connection, xml: string): Promise<DomainRef> {
  const body = new XdrWriter().string(xml).uint(DEFINE_VALIDATE).finish()
  return readDomain(await connection.call(PROCEDURES.domainDefine, body))
}

/** Creates a machine that exists only while it runs. Flags: 1 starts it paused, 2 ends it with the connection. */
export async function createTransientDomain(connection: Connection, xml: string, flags: number): Promise<DomainRef> {
  return readDomain(await connection.call(PROCEDURES.domainCreateXml, new XdrWriter().string(xml).uint(flags).finish()))
}

export const startDomain = (connection: Connection, domain: DomainRef): Promise<unknown> =>
  withFlags(connection, PROCEDURES.domainStart, domain, 0)

export const shutdownDomain = (connection: Connection, domain: DomainRef, by: number): Promise<unknown> =>
  withFlags(connection, PROCEDURES.domainShutdown, domain, by)

export const destroyDomain = (connection: Connection, domain: DomainRef): Promise<unknown> =>
  withFlags(connection, PROCEDURES.domainDestroy, domain, 0)

export const resetDomain = (connection: Connection, domain: DomainRef): Promise<unknown> =>
  withFlags(connection, PROCEDURES.domainReset, domain, 0)

export const resumeDomain = (connection: Connection, domain: DomainRef): Promise<unknown> =>
  connection.call(PROCEDURES.domainResume, writeDomain(new XdrWriter(), domain).finish())

export const undefineDomain = (connection: Connection, domain: DomainRef): Promise<unknown> =>
  withFlags(connection, PROCEDURES.domainUndefine, domain, UNDEFINE_NVRAM)

export async function readDomainState(
  connection: Connection,
  domain: DomainRef,
): Promise<{ state: number; reason: number }> {
  const reader = await withFlags(connection, PROCEDURES.domainState, domain, 0)
  return { state: reader.int(), reason: reader.int() }
}

/** `live`: the running definition, if it runs. `stored`: the definition for the next start. */
export async function readDomainXml(
  connection: Connection,
  domain: DomainRef,
  which: 'live' | 'stored',
): Promise<string> {
  return (await withFlags(connection, PROCEDURES.domainXml, domain, which === 'stored' ? XML_INACTIVE : 0)).string()
}

/** Opens the first serial port as bytes, and takes it over from any other client. */
export function openDomainConsole(connection: Connection, domain: DomainRef): Promise<RpcStream> {
  const body = writeDomain(new XdrWriter(), domain).optional(null).uint(CONSOLE_FORCE).finish()
  return connection.openStream(PROCEDURES.openConsole, body)
}

/** Sends one command to the guest agent as JSON; the guest's answer may be anything. */
export async function askAgent(
  connection: Connection,
  domain: DomainRef,
  command: string,
  seconds: number,
): Promise<string> {
  const body = writeDomain(new XdrWriter(), domain).string(command).int(seconds).uint(0).finish()
  return (await connection.call(PROCEDURES.agentCommand, body, (seconds + 2) * 1000)).optional() ?? ''
}

export async function registerDomainEvents(connection: Connection): Promise<void> {
  for (const event of Object.values(EVENT_IDS))
    await connection.call(PROCEDURES.registerEvent, new XdrWriter().int(event).uint(0).finish())
}

/** Lifecycle and agent messages have the same layout: callback, domain, two numbers. */
export function readDomainEvent(body: Buffer): { domain: DomainRef; first: number; second: number } {
  const reader = new XdrReader(body)
  reader.int() // the callback's id: we have one of each
  return { domain: readDomain(reader), first: reader.int(), second: reader.int() }
}

export function writeDomain(writer: XdrWriter, domain: DomainRef): XdrWriter {
  return writer.string(domain.name).opaque(uuidBytes(domain.uuid)).int(domain.id)
}

export function readDomain(reader: XdrReader): DomainRef {
  const name = reader.string()
  const hex = reader.opaque(16).toString('hex')
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { name, uuid, id: reader.int() }
}

export async function orNull<T>(call: Promise<T>, ...codes: readonly number[]): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (hasCode(error, ...codes)) return null
    throw error
  }
}

function withFlags(connection: Connection, procedure: Procedure, domain: DomainRef, flags: number): Promise<XdrReader> {
  return connection.call(procedure, writeDomain(new XdrWriter(), domain).uint(flags).finish())
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

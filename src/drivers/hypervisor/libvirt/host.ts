import { mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { HypervisorError, type MachineState } from '../index.ts'
import type { Link } from './link.ts'
import type { Connection } from './rpc/connection.ts'
import { DOMAIN_STATE, lookupDomain, OFF_CRASHED, orNull, readDomainState, readDomainXml } from './rpc/domains.ts'
import type { DomainRef } from './rpc/domains.ts'
import { CODE } from './rpc/errors.ts'
import { readMark } from './xml/domain.ts'

/** The shared context of all operations of this driver. */
export interface Host {
  readonly instance: string
  readonly poolDirectory: string
  readonly imageDirectory: string
  readonly bridge: string | null
  readonly socket: string
  /** For changing calls, lookups and events. */
  readonly control: Link
  /**
   * Separate from control: one frozen QEMU blocks every bulk call, and libvirtd serves five calls of a connection at
   * once.
   */
  readonly bulk: Link
  /** Separate from both, for the same reason: a silent guest blocks its call for seconds. */
  readonly agents: Link
  readonly ports: PortRules
  acceleration(): Promise<'kvm' | 'tcg'>
  /** Runs the tasks of each key one at a time. */
  serially<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Machines whose mark was read: the owner never changes. */
  readonly known: Set<string>
  /** Machines whose start was requested and not answered yet. */
  readonly starting: Set<string>
}

export interface PortRules {
  /**
   * Call it after a filter was defined or undefined. Resolves once the kernel has the rules of every defined machine.
   */
  update(host: Host): Promise<void>
  /** Also checks the kernel's rules, and repairs differences. Returns whether it repaired anything. */
  verify(host: Host): Promise<boolean>
}

export const domainPrefix = (host: Pick<Host, 'instance'>): string => `lh-${host.instance}-`
export const poolName = (host: Host): string => `lh-${host.instance}`
export const filterName = (host: Pick<Host, 'instance'>, uuid: string): string => `lh-${host.instance}-${uuid}`
export const diskName = (uuid: string): string => `${uuid}.qcow2`
export const bootFilesPath = (host: Host, uuid: string): string => join(host.poolDirectory, `${uuid}.boot.tar`)

/** Returns the machine, or null if there is none. Throws `refused` if it exists but is not ours. */
export async function findOwn(host: Host, connection: Connection, uuid: string): Promise<DomainRef | null> {
  const domain = await lookupDomain(connection, uuid)
  if (domain === null || (await isOwn(host, connection, domain))) return domain
  throw new HypervisorError('refused', `machine ${uuid} exists on this host and belongs to another installation`)
}

export async function requireOwn(host: Host, connection: Connection, uuid: string): Promise<DomainRef> {
  const domain = await findOwn(host, connection, uuid)
  if (domain === null) throw new HypervisorError('not-found', `machine ${uuid} does not exist on this host`)
  return domain
}

export async function isOwn(host: Host, connection: Connection, domain: DomainRef): Promise<boolean> {
  if (!domain.name.startsWith(domainPrefix(host))) return false
  if (host.known.has(domain.uuid)) return true
  const definition = await orNull(readDomainXml(connection, domain, 'stored'), CODE.noDomain)
  if (definition === null || readMark(definition)?.instance !== host.instance) return false
  host.known.add(domain.uuid)
  return true
}

export async function readMachineState(host: Host, connection: Connection, uuid: string): Promise<MachineState> {
  const domain = await findOwn(host, connection, uuid)
  const observed = domain === null ? null : await orNull(readDomainState(connection, domain), CODE.noDomain)
  return observed === null ? 'absent' : toMachineState(host, uuid, observed.state, observed.reason)
}

export function toMachineState(host: Host, uuid: string, state: number, reason: number): MachineState {
  switch (state) {
    case DOMAIN_STATE.paused:
    case DOMAIN_STATE.suspended:
      return host.starting.has(uuid) ? 'starting' : 'paused'
    case DOMAIN_STATE.shuttingDown:
      return 'stopping'
    case DOMAIN_STATE.off:
      if (host.starting.has(uuid)) return 'starting'
      return reason === OFF_CRASHED ? 'crashed' : 'off'
    case DOMAIN_STATE.crashed:
      return 'crashed'
    default:
      // "No state", "running" and "blocked" (waiting for a device) all mean that the guest executes.
      return 'running'
  }
}

export const isActive = (state: MachineState): boolean => !['absent', 'off', 'crashed'].includes(state)

/** QEMU runs as a separate user, which must be able to reach the disks. */
export async function preparePoolDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o711 })
  for (let path = resolve(directory); ; path = dirname(path)) {
    const { mode } = await stat(path)
    if ((mode & 0o001) === 0)
      throw new HypervisorError(
        'refused',
        `QEMU's user cannot reach the disks in ${directory}: allow others to pass ${path} (chmod o+x), or choose another folder`,
      )
    if (path === dirname(path)) return
  }
}

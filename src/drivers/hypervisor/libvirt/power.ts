import { setTimeout as sleep } from 'node:timers/promises'
import { HypervisorError } from '../index.ts'
import { findOwn, isActive, readMachineState, requireOwn, type Host } from './host.ts'
import type { Connection } from './rpc/connection.ts'
import {
  destroyDomain,
  orNull,
  resetDomain,
  resumeDomain,
  SHUTDOWN_BY,
  shutdownDomain,
  startDomain,
  type DomainRef,
} from './rpc/domains.ts'
import { CODE } from './rpc/errors.ts'

const GRACE = 60_000
/** A guest that has not loaded its power button yet loses the press without a trace, so it is pressed again. */
const PRESS_AGAIN = 5_000
const LOOK_AGAIN = 250

export async function startMachine(host: Host, uuid: string): Promise<void> {
  const connection = await host.control.get()
  const domain = await requireOwn(host, connection, uuid)
  const state = await readMachineState(host, connection, uuid)
  if (state === 'paused') await resumeDomain(connection, domain)
  if (isActive(state)) return
  host.starting.add(uuid)
  try {
    // "Invalid state" is also libvirt's word for "runs already": somebody else was quicker.
    const started = await orNull(startDomain(connection, domain), CODE.invalidState)
    if (started === null && !isActive(await readMachineState(host, connection, uuid)))
      throw new HypervisorError('invalid-state', `machine ${uuid} cannot be started in the state that it is in`)
  } finally {
    host.starting.delete(uuid)
  }
}

export async function stopMachine(
  host: Host,
  uuid: string,
  mode: 'graceful' | 'force',
  deadlineMs = GRACE,
): Promise<void> {
  const connection = await host.control.get()
  const domain = await findOwn(host, connection, uuid)
  if (domain === null) return
  if (mode === 'graceful' && (await endsByItself(host, connection, domain, performance.now() + deadlineMs))) return
  await pullThePlug(connection, domain)
}

export async function resetMachine(host: Host, uuid: string): Promise<void> {
  const connection = await host.control.get()
  await resetDomain(connection, await requireOwn(host, connection, uuid))
}

/** Destroying what is off or gone is done already. */
export async function pullThePlug(connection: Connection, domain: DomainRef): Promise<void> {
  await orNull(destroyDomain(connection, domain), CODE.invalidState, CODE.noDomain)
}

async function endsByItself(host: Host, connection: Connection, domain: DomainRef, deadline: number): Promise<boolean> {
  let pressAt = 0
  while (performance.now() < deadline) {
    if (!isActive(await readMachineState(host, connection, domain.uuid))) return true
    if (performance.now() >= pressAt) {
      await press(connection, domain, pressAt === 0)
      pressAt = performance.now() + PRESS_AGAIN
    }
    await sleep(Math.max(0, Math.min(LOOK_AGAIN, deadline - performance.now())))
  }
  return false
}

/** The agent first: it tells whether it heard. The button after that. */
async function press(connection: Connection, domain: DomainRef, first: boolean): Promise<void> {
  try {
    await shutdownDomain(connection, domain, first ? SHUTDOWN_BY.agent : SHUTDOWN_BY.acpi)
  } catch (error) {
    if (!(error instanceof HypervisorError) || error.kind === 'unreachable') throw error
    // Off by now, which the next look will show; or no agent, so the button at once.
    if (first) await press(connection, domain, false)
  }
}

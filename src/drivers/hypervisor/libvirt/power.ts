import { setTimeout as sleep } from 'node:timers/promises'
import { HypervisorError } from '../index.ts'
import { findOwn, isActive, readMachineState, requireOwn, type Host } from './host.ts'
import type { Connection } from './rpc/connection.ts'
import {
  destroyDomain,
  DOMAIN_STATE,
  OFF_SHUTDOWN,
  orNull,
  readDomainState,
  resetDomain,
  resumeDomain,
  SHUTDOWN_BY,
  shutdownDomain,
  startDomain,
  type DomainRef,
} from './rpc/domains.ts'
import { CODE } from './rpc/errors.ts'

const GRACE = 60_000
/** A guest that has not loaded its power button driver loses the press without a trace, so it is pressed again. */
const PRESS_AGAIN = 5_000
const POLL_AGAIN = 250

export async function startMachine(host: Host, uuid: string): Promise<void> {
  const connection = await host.control.get()
  const domain = await requireOwn(host, connection, uuid)
  const state = await readMachineState(host, connection, uuid)
  if (state === 'paused') await resumeDomain(connection, domain)
  if (isActive(state)) return
  // The rules do not survive a restart of the host.
  if (host.bridge !== null) await host.ports.verify(host)
  host.starting.add(uuid)
  try {
    // libvirt also says "invalid state" for "runs already": another caller was faster.
    const started = await orNull(startDomain(connection, domain), CODE.invalidState)
    if (started === null && !isActive(await readMachineState(host, connection, uuid)))
      throw new HypervisorError('invalid-state', `machine ${uuid} cannot be started in the state that it is in`)
  } finally {
    host.starting.delete(uuid)
  }
}

export async function forceMachineOff(host: Host, uuid: string): Promise<void> {
  const connection = await host.control.get()
  const domain = await findOwn(host, connection, uuid)
  if (domain !== null) await forceStop(connection, domain)
}

/**
 * Asks the guest again and again, and forces at the deadline. It applies to the boot that runs at its first check: as
 * soon as another began, or `signal` aborts, it is over. Each check and its action are one task in the machine's queue,
 * so that no start comes between them. libvirt itself would not notice: its calls find a machine by UUID alone.
 */
export async function shutMachineDown(
  host: Host,
  uuid: string,
  { deadlineMs = GRACE, signal }: { deadlineMs?: number | undefined; signal?: AbortSignal | undefined },
): Promise<void> {
  const deadline = performance.now() + deadlineMs
  let boot: number | null = null
  let pressAt = 0
  const turn = async (): Promise<'over' | 'again'> => {
    if (signal?.aborted) return 'over'
    const connection = await host.control.get()
    const domain = await findOwn(host, connection, uuid)
    if (domain === null) return 'over'
    boot ??= domain.id
    if (domain.id !== boot || !isActive(await readMachineState(host, connection, uuid))) return 'over'
    const now = performance.now()
    if (now >= deadline) {
      await forceStop(connection, domain)
      return 'over'
    }
    if (now >= pressAt) {
      await press(connection, domain, pressAt === 0)
      pressAt = performance.now() + PRESS_AGAIN
    }
    return 'again'
  }
  while ((await host.serially(uuid, turn)) === 'again') {
    const pause = Math.max(0, Math.min(POLL_AGAIN, deadline - performance.now()))
    await sleep(pause, undefined, signal && { signal }).catch(() => {})
  }
}

export async function resetMachine(host: Host, uuid: string): Promise<void> {
  const connection = await host.control.get()
  await resetDomain(connection, await requireOwn(host, connection, uuid))
}

/**
 * libvirt distinguishes a guest that shut down from a machine that was destroyed. A guest that was asked to shut down
 * counts as the first: only the caller knows whether it was asked.
 */
export async function readEndedBy(host: Host, uuid: string): Promise<'guest' | 'host'> {
  const connection = await host.control.get()
  const observed = await readDomainState(connection, await requireOwn(host, connection, uuid))
  return observed.state === DOMAIN_STATE.off && observed.reason === OFF_SHUTDOWN ? 'guest' : 'host'
}

/** Destroying a machine that is off or gone succeeds. */
export async function forceStop(connection: Connection, domain: DomainRef): Promise<void> {
  await orNull(destroyDomain(connection, domain), CODE.invalidState, CODE.noDomain)
}

/** The agent first, because it reports whether it received the request; then the button. */
async function press(connection: Connection, domain: DomainRef, first: boolean): Promise<void> {
  try {
    await shutdownDomain(connection, domain, first ? SHUTDOWN_BY.agent : SHUTDOWN_BY.acpi)
  } catch (error) {
    if (!(error instanceof HypervisorError) || error.kind === 'unreachable') throw error
    // It is off by now, which the next check will show; or there is no agent, so press the button at once.
    if (first) await press(connection, domain, false)
  }
}

import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { HypervisorError, type Hypervisor } from '../../drivers/hypervisor/index.ts'
import { unavailable } from '../../kernel/problem.ts'
import type { ConsoleKind } from './tickets.ts'

/**
 * Longer than a host takes to prepare a disk and start a machine. Watching a creation means opening the console too
 * early.
 */
const MACHINE_WITHIN_MS = 60_000
const POLL_AGAIN_MS = 150

/** Waits for a machine that is being made or started: the console was opened for its first messages. */
export async function openMachineStream(
  hypervisor: Hypervisor,
  machine: string,
  kind: ConsoleKind,
  signal: AbortSignal,
): Promise<Duplex> {
  for (const until = performance.now() + MACHINE_WITHIN_MS; ;) {
    try {
      return await (kind === 'serial' ? hypervisor.openSerial(machine) : hypervisor.openDisplay(machine))
    } catch (error) {
      if (!(error instanceof HypervisorError)) throw error
      const early = error.kind === 'not-found' || error.kind === 'invalid-state'
      if (!early || performance.now() > until || signal.aborted) {
        throw unavailable('The host does not open a console now.', 5, error)
      }
    }
    await sleep(POLL_AGAIN_MS, undefined, { signal })
  }
}

/**
 * Enforces the port rules of routers while no portal drives this hypervisor. When the link is cut, a guest must not be
 * able to take the address of another. The rules come from libvirt's own filters, so nothing changes that was not
 * requested.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fence } from '../drivers/agent/fence.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import type { Log } from '../platform/log.ts'

/** As often as a portal that drives the hypervisor checks. */
const EVERY_MS = 10_000

interface KeepPortsOptions {
  readonly driver: Pick<Hypervisor, 'guardPorts'>
  /** While a lease is held the portal checks, and reports to staff. */
  readonly fence: Pick<Fence, 'isHeld'>
  readonly signal: AbortSignal
  readonly log: Pick<Log, 'warn'>
  readonly everyMs?: number
}

export async function keepPorts({ driver, fence, signal, log, everyMs = EVERY_MS }: KeepPortsOptions): Promise<void> {
  let said: string | null = null
  while (!signal.aborted) {
    if (!fence.isHeld) {
      const fault = await driver.guardPorts().then(
        ({ repaired }) => {
          if (repaired) log.warn({}, 'the rules at the ports of routers were gone or changed; set again')
          return null
        },
        (error: unknown) => error,
      )
      const words = fault === null ? null : String((fault as { message?: unknown }).message)
      // Log once: an unreachable libvirt stays so for hours.
      if (words !== null && words !== said) log.warn({ err: fault }, 'the rules at the ports could not be looked at')
      said = words
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Returns the next step for a router from its desired and observed state. Pure, and without memory of earlier steps: a
 * process killed between two steps looks again and continues.
 */
import type { MachineState } from '../drivers/hypervisor/index.ts'
import { isOff, type Task, type DesiredState } from './states.ts'

export interface RouterObservation {
  readonly desiredState: DesiredState
  /** For a deleted router: it can still be restored, its time is over, or its purge has begun. */
  readonly grace: 'runs' | 'over' | 'none'
  readonly suspended: boolean
  readonly stopMode: 'graceful' | 'force'
  readonly task: Task | null
  readonly taskPhase: 'down' | 'up' | null
  /** As the hypervisor reports now. */
  readonly seen: MachineState
  /** The hypervisor's machine matches what is desired now. */
  readonly machineCurrent: boolean
  /** The guest's agent has answered since the machine last started. */
  readonly ready: boolean
  /**
   * The guest has loaded, or rejected, the routing configuration that is desired now: either way there is nothing to
   * send.
   */
  readonly configDelivered: boolean
}

export function graceOf(purgeAt: Date | null, now: Date): RouterObservation['grace'] {
  if (purgeAt === null) return 'none'
  return purgeAt > now ? 'runs' : 'over'
}

export type Step =
  /** After this it cannot be restored. */
  | { readonly do: 'purge' }
  /** Remove everything from the hypervisor, then delete the router's row. */
  | { readonly do: 'remove' }
  /** Define or update machine, disk, boot files and packet filter. */
  | { readonly do: 'ensure' }
  | { readonly do: 'start' }
  | { readonly do: 'stop'; readonly mode: 'graceful' | 'force' }
  | { readonly do: 'reset' }
  /** Create the disk again. */
  | { readonly do: 'reinstall' }
  /** The first half of the task is done: the router has yet to run. */
  | { readonly do: 'next-phase' }
  /** Ask the guest's agent whether it is there. */
  | { readonly do: 'await-agent' }
  /** Hand the guest its routing configuration. */
  | { readonly do: 'configure' }
  | { readonly do: 'finish' }
  /** It changes state without help. */
  | { readonly do: 'wait' }
  | { readonly do: 'mark-converged' }

export function nextStep(observation: RouterObservation): Step {
  if (observation.desiredState === 'absent') {
    if (observation.grace === 'none') return { do: 'remove' }
    // A separate step: a restore sees what has been written, so none succeeds while a disk is being deleted.
    if (observation.grace === 'over') return { do: 'purge' }
  }
  if (observation.seen === 'unknown') return { do: 'wait' }
  if (observation.desiredState === 'absent') return bringDown(observation)
  if (observation.suspended) return bringDown(observation)
  if (observation.taskPhase === 'down') {
    switch (observation.task) {
      case 'reboot':
        return isOff(observation.seen) ? { do: 'next-phase' } : stop(observation, 'graceful')
      case 'reset':
        if (isOff(observation.seen)) return { do: 'next-phase' }
        if (observation.seen === 'paused') return { do: 'start' }
        return { do: observation.seen === 'running' ? 'reset' : 'wait' }
      case 'reinstall':
        if (!isOff(observation.seen)) return { do: 'stop', mode: 'force' }
        return observation.seen === 'absent' ? { do: 'next-phase' } : { do: 'reinstall' }
      case 'resize':
      case null:
        break
    }
  }
  return observation.desiredState === 'running' ? bringUp(observation) : bringDown(observation)
}

function bringUp(observation: RouterObservation): Step {
  switch (observation.seen) {
    case 'absent':
      return { do: 'ensure' }
    case 'off':
    case 'crashed':
      return observation.machineCurrent ? { do: 'start' } : { do: 'ensure' }
    case 'paused':
      return { do: 'start' }
    case 'running':
      if (!observation.machineCurrent) return { do: 'ensure' }
      if (!observation.ready) return { do: 'await-agent' }
      if (!observation.configDelivered) return { do: 'configure' }
      return observation.task ? { do: 'finish' } : { do: 'mark-converged' }
    case 'starting':
    case 'stopping':
    case 'unknown':
      return { do: 'wait' }
  }
}

function bringDown(observation: RouterObservation): Step {
  if (!isOff(observation.seen)) return stop(observation, observation.stopMode)
  // Resized while it is off, so that a failure shows now and not at the next start.
  if (observation.seen !== 'absent' && !observation.machineCurrent) return { do: 'ensure' }
  return observation.task === 'resize' && !observation.suspended ? { do: 'finish' } : { do: 'mark-converged' }
}

/**
 * A machine that is already shutting down is told again: the owner may now want it forced, or the guest may not react.
 */
function stop(observation: RouterObservation, mode: 'graceful' | 'force'): Step {
  return observation.seen === 'paused' ? { do: 'stop', mode: 'force' } : { do: 'stop', mode }
}

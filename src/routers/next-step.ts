/**
 * Returns the next step for a router from its desired and observed state. Pure, and without memory of earlier steps:
 * whoever is killed between two of them looks again and goes on.
 */
import type { MachineState } from '../drivers/hypervisor/index.ts'
import { isOff, type Task, type DesiredState } from './states.ts'

export interface RouterObservation {
  readonly desiredState: DesiredState
  /** Of one that is deleted: it can still be restored, its time is over, or its removal has begun. */
  readonly grace: 'runs' | 'over' | 'none'
  readonly suspended: boolean
  readonly stopMode: 'graceful' | 'force'
  readonly task: Task | null
  readonly taskPhase: 'down' | 'up' | null
  /** As the hypervisor says now. */
  readonly seen: MachineState
  /** The hypervisor has the machine as it is wanted now. */
  readonly machineCurrent: boolean
  /** The guest's agent has answered since the machine last started. */
  readonly ready: boolean
  /** The guest has taken, or refused, the routing configuration that is wanted now: either way there is nothing to send. */
  readonly configDelivered: boolean
}

export function graceOf(purgeAt: Date | null, now: Date): RouterObservation['grace'] {
  if (purgeAt === null) return 'none'
  return purgeAt > now ? 'runs' : 'over'
}

export type Step =
  /** From here on nobody restores it. */
  | { readonly do: 'purge' }
  /** Leave nothing on the hypervisor, then forget the router. */
  | { readonly do: 'remove' }
  /** Define or update machine, disk, boot files and packet filter. */
  | { readonly do: 'ensure' }
  | { readonly do: 'start' }
  | { readonly do: 'stop'; readonly mode: 'graceful' | 'force' }
  | { readonly do: 'reset' }
  /** Make the disk anew. */
  | { readonly do: 'reinstall' }
  /** The first half of the task is done: what is left is to run. */
  | { readonly do: 'next-phase' }
  /** Ask the guest's agent whether it is there. */
  | { readonly do: 'await-agent' }
  /** Hand the guest its routing configuration. */
  | { readonly do: 'configure' }
  | { readonly do: 'finish' }
  /** It is between two states by itself. */
  | { readonly do: 'wait' }
  | { readonly do: 'mark-converged' }

export function nextStep(observation: RouterObservation): Step {
  if (observation.desiredState === 'absent') {
    if (observation.grace === 'none') return { do: 'remove' }
    // A step of its own: what has been written is what a restoration sees, so none succeeds while a disk goes.
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
  // A larger disk or another size is made while it is off, so that a failure shows now and not at the next start.
  if (observation.seen !== 'absent' && !observation.machineCurrent) return { do: 'ensure' }
  return observation.task === 'resize' && !observation.suspended ? { do: 'finish' } : { do: 'mark-converged' }
}

/** A machine that already goes down is still told: the wish may have become impatient, or the guest deaf. */
function stop(observation: RouterObservation, mode: 'graceful' | 'force'): Step {
  return observation.seen === 'paused' ? { do: 'stop', mode: 'force' } : { do: 'stop', mode }
}

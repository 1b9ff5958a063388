/**
 * What to do next to a router: one step, from what is wanted and what is there. Pure, and with no memory of steps taken:
 * whoever is killed between two of them looks again and goes on.
 */
import type { MachineState } from '../drivers/hypervisor/index.ts'
import { isOff, type Task, type Wish } from './states.ts'

export interface StepFacts {
  readonly wish: Wish
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

export function graceOf(goneAt: Date | null, now: Date): StepFacts['grace'] {
  if (goneAt === null) return 'none'
  return goneAt > now ? 'runs' : 'over'
}

export type Step =
  /** From here on nobody restores it. */
  | { readonly do: 'give-up' }
  /** Leave nothing on the hypervisor, then forget the router. */
  | { readonly do: 'remove' }
  /** Define or update machine, disk, boot files and packet filter. */
  | { readonly do: 'ensure' }
  | { readonly do: 'start' }
  | { readonly do: 'stop'; readonly mode: 'graceful' | 'force' }
  | { readonly do: 'reset' }
  /** Make the disk anew. */
  | { readonly do: 'wipe' }
  /** The first half of the task is done: what is left is to run. */
  | { readonly do: 'turn' }
  /** Ask the guest's agent whether it is there. */
  | { readonly do: 'greet' }
  /** Hand the guest its routing configuration. */
  | { readonly do: 'configure' }
  | { readonly do: 'finish' }
  /** It is between two states by itself. */
  | { readonly do: 'wait' }
  | { readonly do: 'settle' }

export function nextStep(facts: StepFacts): Step {
  if (facts.wish === 'absent') {
    if (facts.grace === 'none') return { do: 'remove' }
    // A step of its own: what has been written is what a restoration sees, so none succeeds while a disk goes.
    if (facts.grace === 'over') return { do: 'give-up' }
  }
  if (facts.seen === 'unknown') return { do: 'wait' }
  if (facts.wish === 'absent') return bringDown(facts)
  if (facts.suspended) return bringDown(facts)
  if (facts.taskPhase === 'down') {
    switch (facts.task) {
      case 'reboot':
        return isOff(facts.seen) ? { do: 'turn' } : stop(facts, 'graceful')
      case 'reset':
        if (isOff(facts.seen)) return { do: 'turn' }
        if (facts.seen === 'paused') return { do: 'start' }
        return { do: facts.seen === 'running' ? 'reset' : 'wait' }
      case 'reinstall':
        if (!isOff(facts.seen)) return { do: 'stop', mode: 'force' }
        return facts.seen === 'absent' ? { do: 'turn' } : { do: 'wipe' }
      case 'resize':
      case null:
        break
    }
  }
  return facts.wish === 'running' ? bringUp(facts) : bringDown(facts)
}

function bringUp(facts: StepFacts): Step {
  switch (facts.seen) {
    case 'absent':
      return { do: 'ensure' }
    case 'off':
    case 'crashed':
      return facts.machineCurrent ? { do: 'start' } : { do: 'ensure' }
    case 'paused':
      return { do: 'start' }
    case 'running':
      if (!facts.machineCurrent) return { do: 'ensure' }
      if (!facts.ready) return { do: 'greet' }
      if (!facts.configDelivered) return { do: 'configure' }
      return facts.task ? { do: 'finish' } : { do: 'settle' }
    case 'starting':
    case 'stopping':
    case 'unknown':
      return { do: 'wait' }
  }
}

function bringDown(facts: StepFacts): Step {
  if (!isOff(facts.seen)) return stop(facts, facts.stopMode)
  // A larger disk or another size is made while it is off, so that a failure shows now and not at the next start.
  if (facts.seen !== 'absent' && !facts.machineCurrent) return { do: 'ensure' }
  return facts.task === 'resize' && !facts.suspended ? { do: 'finish' } : { do: 'settle' }
}

/** A machine that already goes down is still told: the wish may have become impatient, or the guest deaf. */
function stop(facts: StepFacts, mode: 'graceful' | 'force'): Step {
  return facts.seen === 'paused' ? { do: 'stop', mode: 'force' } : { do: 'stop', mode }
}

/**
 * The states of a router and which actions each allows: one table for the server's 409 and for disabled buttons. The
 * state that people see is computed, never stored: see {@link viewState}.
 */
import type { MachineState } from '../drivers/hypervisor/machine-state.ts'

export const ROUTER_STATES = [
  'CREATING',
  'STARTING',
  'RUNNING',
  'STOPPING',
  'STOPPED',
  'REBOOTING',
  'REINSTALLING',
  'RESIZING',
  'MIGRATING',
  'SUSPENDED',
  'FAILED',
  'DELETING',
] as const
export type RouterState = (typeof ROUTER_STATES)[number]

/**
 * The actions of `POST …/actions`. `shutdown` asks the guest and waits, `stop` powers off; likewise `reboot` and
 * `reset`.
 */
export const POWER_ACTIONS = ['start', 'shutdown', 'reboot', 'stop', 'reset', 'reinstall'] as const
export type PowerAction = (typeof POWER_ACTIONS)[number]

/** Actions that staff may order. Reinstalling is not one: it destroys the owner's data. */
export const STAFF_POWER_ACTIONS = ['start', 'shutdown', 'reboot', 'stop', 'reset'] as const satisfies PowerAction[]
export type StaffPowerAction = (typeof STAFF_POWER_ACTIONS)[number]

/** Actions that several routers take in one request. None of them destroys anything. */
export const BULK_POWER_ACTIONS = ['start', 'shutdown', 'reboot'] as const satisfies StaffPowerAction[]
export type BulkPowerAction = (typeof BULK_POWER_ACTIONS)[number]
/** The most routers in one request. */
export const MAX_BULK_ROUTERS = 100

/** `UNCHANGED`: the router is already in the state that the action leads to, or on its way there. */
export const BULK_OUTCOMES = ['DONE', 'UNCHANGED', 'REFUSED'] as const

/** Each is the order of an index, read from either end. */
export const ROUTER_SORTS = ['name', '-name', 'created', '-created'] as const
export type RouterSort = (typeof ROUTER_SORTS)[number]

/**
 * All actions that a screen can offer for a router. `resize` changes the plan; `display` and `serial` open a console.
 */
export const ROUTER_ACTIONS = [...POWER_ACTIONS, 'rename', 'resize', 'delete', 'display', 'serial', 'restore'] as const
export type RouterAction = (typeof ROUTER_ACTIONS)[number]

/** For use after "You cannot … this router while it is STATE". */
export const ACTION_LABELS: Readonly<Record<RouterAction, string>> = {
  start: 'start',
  shutdown: 'shut down',
  reboot: 'reboot',
  stop: 'stop',
  reset: 'reset',
  reinstall: 'reinstall',
  rename: 'rename',
  resize: 'change the plan of',
  delete: 'delete',
  display: 'open the display of',
  serial: 'open the serial console of',
  restore: 'restore',
}

const ALIVE = ROUTER_STATES.filter((state) => state !== 'DELETING')
/** The machine has, or is about to have, output: a console is for boot messages. */
const POWERED = ['CREATING', 'STARTING', 'RUNNING', 'STOPPING', 'REBOOTING', 'REINSTALLING', 'FAILED'] as const

export const ALLOWED_IN: Readonly<Record<RouterAction, readonly RouterState[]>> = {
  start: ['STOPPED', 'FAILED'],
  shutdown: ['STARTING', 'RUNNING'],
  reboot: ['RUNNING'],
  // Also while it shuts down, when an owner may lose patience.
  stop: ['STARTING', 'RUNNING', 'STOPPING', 'REBOOTING', 'FAILED'],
  reset: ['STARTING', 'RUNNING', 'REBOOTING'],
  reinstall: ['RUNNING', 'STOPPED', 'FAILED'],
  rename: ALIVE,
  resize: ['STOPPED'],
  delete: ALIVE,
  display: POWERED,
  serial: POWERED,
  restore: ['DELETING'],
}

export const isAllowed = (action: RouterAction, state: RouterState): boolean => ALLOWED_IN[action].includes(state)

const REACHED_IN: Readonly<Record<BulkPowerAction, readonly RouterState[]>> = {
  start: ['STARTING', 'RUNNING'],
  shutdown: ['STOPPING', 'STOPPED'],
  reboot: ['REBOOTING'],
}

/** Returns whether the action would change nothing. A bulk request then leaves the router out. */
export const isReached = (action: BulkPowerAction, state: RouterState): boolean => REACHED_IN[action].includes(state)

/** `restorable`: it is deleted, and its purge has not begun. */
export const allowedActions = (state: RouterState, restorable = false): RouterAction[] =>
  ROUTER_ACTIONS.filter((action) => isAllowed(action, state) && (action !== 'restore' || restorable))

/** The steps from an order to a router that answers. A reinstalled router repeats them from `disk`. */
export const CREATION_STEPS = ['address', 'disk', 'boot', 'reachable'] as const
export type CreationStep = (typeof CREATION_STEPS)[number]

export const DESIRED_STATES = ['running', 'stopped', 'absent'] as const
/** The desired state of a router. */
export type DesiredState = (typeof DESIRED_STATES)[number]

export const TASKS = ['reboot', 'reset', 'reinstall', 'resize'] as const
/** A one-time step before the desired state. */
export type Task = (typeof TASKS)[number]

export interface StateInputs {
  readonly desiredState: DesiredState
  readonly suspended: boolean
  readonly task: Task | null
  /** The last observed state. It is kept while the hypervisor is unreachable: a better guess than "off". */
  readonly observed: MachineState
  /** The guest's agent has answered since it last started. */
  readonly ready: boolean
  /** It has been reachable once since it was ordered. */
  readonly created: boolean
  readonly failed: boolean
}

/** Returns the one state that people see, from what is desired, what is under way and what was last seen. */
export function viewState(inputs: StateInputs): RouterState {
  if (inputs.desiredState === 'absent') return 'DELETING'
  const off = isOff(inputs.observed)
  if (inputs.suspended) return off ? 'SUSPENDED' : 'STOPPING'
  if (inputs.failed) return 'FAILED'
  switch (inputs.task) {
    case 'reinstall':
      return 'REINSTALLING'
    case 'resize':
      return 'RESIZING'
    case 'reboot':
    case 'reset':
      return inputs.created ? 'REBOOTING' : 'CREATING'
    case null:
      break
  }
  if (inputs.desiredState === 'stopped') return off ? 'STOPPED' : 'STOPPING'
  if (!inputs.created) return 'CREATING'
  return inputs.observed === 'running' && inputs.ready ? 'RUNNING' : 'STARTING'
}

export const isOff = (state: MachineState): boolean => state === 'off' || state === 'absent' || state === 'crashed'

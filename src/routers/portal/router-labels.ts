/** Labels of a router's steps and actions. */
import type { IconName } from '../../ui/components/Icon.tsx'
import type { Router } from '../contract.ts'
import {
  ACTION_LABELS,
  ALLOWED_IN,
  isAllowed,
  type CreationStep,
  type PowerAction,
  type RouterAction,
} from '../states.ts'
import { stateLabel } from './router-state-variants.ts'

export interface ActionButton {
  readonly label: string
  readonly icon: IconName
  /** Its consequences, one per item. An action without any needs no confirmation. */
  readonly consequences?: readonly string[]
  /** It cannot be undone: the name must be typed. */
  readonly destroys?: true
}

const SESSIONS_DROP = 'Its BGP sessions go down and its prefixes are withdrawn until it is back.'

export const POWER_BUTTON: Readonly<Record<PowerAction, ActionButton>> = {
  start: { label: 'Start', icon: 'play' },
  shutdown: {
    label: 'Shut down',
    icon: 'power',
    consequences: [
      'Its BGP sessions go down and its prefixes are withdrawn while it is off.',
      'It keeps its disk and addresses and is still billed.',
    ],
  },
  reboot: { label: 'Reboot', icon: 'refresh', consequences: [SESSIONS_DROP] },
  stop: {
    label: 'Force off',
    icon: 'power',
    consequences: ['Power is cut immediately. Unsaved data is lost.', SESSIONS_DROP],
  },
  reset: {
    label: 'Reset',
    icon: 'refresh',
    consequences: ['The router is reset immediately. Unsaved data is lost.', SESSIONS_DROP],
  },
  reinstall: {
    label: 'Reinstall',
    icon: 'download',
    destroys: true,
    consequences: [
      'Its disk is erased and reinstalled from the image.',
      'It keeps its name, addresses and plan.',
      SESSIONS_DROP,
    ],
  },
}

export const STEP_LABELS: Readonly<Record<CreationStep, { readonly label: string; readonly now: string }>> = {
  address: { label: 'Address', now: 'Reserving addresses' },
  disk: { label: 'Disk', now: 'Copying the image' },
  boot: { label: 'Boot', now: 'Powering on' },
  reachable: { label: 'Reachable', now: 'Waiting for the router to come online' },
}

const PROTECTED = 'Deletion protection is on. Switch it off under Danger zone first.'

/** Returns why an action is not possible now, from the table that the server also uses; null when it is. */
export function blockedReason(
  router: Pick<Router, 'state'> & Partial<Pick<Router, 'deleteProtected'>>,
  action: RouterAction,
): string | null {
  if (router.deleteProtected && (action === 'delete' || action === 'reinstall')) return PROTECTED
  if (isAllowed(action, router.state)) return null
  const words = `You cannot ${ACTION_LABELS[action]} this router while it is ${stateLabel(router.state)}.`
  const needed = ALLOWED_IN[action]
  return needed.length <= 2 ? `${words} It needs to be ${needed.map(stateLabel).join(' or ')}.` : words
}

/** The time for which a deleted router is kept, in the largest unit that expresses it exactly: `3 days`, `36 hours`. */
export function inWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, least]) => seconds >= least && seconds % least === 0) ?? ['second', 1]
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length)
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ALLOWED_IN,
  allowedActions,
  isOff,
  ROUTER_ACTIONS,
  ROUTER_STATES,
  TASKS,
  viewState,
  DESIRED_STATES,
  type StateInputs,
} from './states.ts'

const facts: fc.Arbitrary<StateInputs> = fc.record({
  desiredState: fc.constantFrom(...DESIRED_STATES),
  suspended: fc.boolean(),
  task: fc.option(fc.constantFrom(...TASKS)),
  observed: fc.constantFrom('absent', 'off', 'starting', 'running', 'paused', 'stopping', 'crashed', 'unknown'),
  ready: fc.boolean(),
  created: fc.boolean(),
  failed: fc.boolean(),
})
const settled: StateInputs = {
  desiredState: 'running',
  suspended: false,
  task: null,
  observed: 'running',
  ready: true,
  created: true,
  failed: false,
}

describe('the state that people see', () => {
  it('says RUNNING only of a machine that was seen running and whose guest answered', () => {
    fc.assert(
      fc.property(facts, (any) => {
        if (viewState(any) !== 'RUNNING') return
        expect(any).toMatchObject({
          desiredState: 'running',
          observed: 'running',
          ready: true,
          suspended: false,
          failed: false,
        })
      }),
    )
  })

  it('says STOPPED and SUSPENDED only of a machine that is off', () => {
    fc.assert(
      fc.property(facts, (any) => {
        if (['STOPPED', 'SUSPENDED'].includes(viewState(any))) expect(isOff(any.observed)).toBe(true)
      }),
    )
  })

  it('says DELETING of all that are wished away, whatever else is true', () => {
    fc.assert(
      fc.property(facts, (any) => {
        expect(viewState({ ...any, desiredState: 'absent' })).toBe('DELETING')
      }),
    )
  })

  it.each<[Partial<StateInputs>, string]>([
    [{}, 'RUNNING'],
    [{ observed: 'absent', ready: false, created: false }, 'CREATING'],
    [{ ready: false, created: false }, 'CREATING'],
    [{ ready: false }, 'STARTING'],
    [{ observed: 'off', ready: false }, 'STARTING'],
    [{ desiredState: 'stopped' }, 'STOPPING'],
    [{ desiredState: 'stopped', observed: 'crashed' }, 'STOPPED'],
    [{ task: 'reboot', observed: 'off' }, 'REBOOTING'],
    [{ task: 'reset' }, 'REBOOTING'],
    [{ task: 'reinstall', created: false }, 'REINSTALLING'],
    [{ desiredState: 'stopped', observed: 'off', task: 'resize' }, 'RESIZING'],
    [{ suspended: true }, 'STOPPING'],
    [{ suspended: true, observed: 'off' }, 'SUSPENDED'],
    [{ failed: true }, 'FAILED'],
  ])('reads %o as %s', (change, state) => {
    expect(viewState({ ...settled, ...change })).toBe(state)
  })
})

describe('what is allowed', () => {
  it('lets every router that is not on its way out be deleted, and none that is be touched', () => {
    for (const state of ROUTER_STATES) {
      expect(allowedActions(state).includes('delete')).toBe(state !== 'DELETING')
    }
    expect(allowedActions('DELETING')).toEqual([])
  })

  it('names each action in some state and each state by its one spelling', () => {
    for (const action of ROUTER_ACTIONS) {
      expect(ALLOWED_IN[action].length).toBeGreaterThan(0)
      expect(ROUTER_STATES).toEqual(expect.arrayContaining([...ALLOWED_IN[action]]))
    }
  })

  it('lets a failed router be tried again, stopped, reinstalled and watched', () => {
    expect(allowedActions('FAILED')).toEqual(expect.arrayContaining(['start', 'stop', 'reinstall', 'serial']))
  })
})

import { describe, expect, test } from 'vitest'
import { allowedActions, ROUTER_ACTIONS, ROUTER_STATES } from '../states.ts'
import { blockedReason } from './router-labels.ts'

describe('why an action of a router cannot be done', () => {
  test('is said exactly of the actions that the server refuses', () => {
    for (const state of ROUTER_STATES) {
      const free = ROUTER_ACTIONS.filter((action) => blockedReason({ state }, action) === null)
      expect(free, state).toEqual(allowedActions(state, true))
    }
  })

  test('names the state that forbids it and the one that it needs', () => {
    expect(blockedReason({ state: 'RUNNING' }, 'resize')).toBe(
      'You cannot change the plan of this router while it is running. It needs to be stopped.',
    )
  })
})

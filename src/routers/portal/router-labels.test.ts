import { describe, expect, test } from 'vitest'
import { allowedActions, ROUTER_ACTIONS, ROUTER_STATES } from '../states.ts'
import { blockedReason, inWords } from './router-labels.ts'

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

test.each([
  [259_200, '3 days'],
  [129_600, '36 hours'],
  [5_400, '90 minutes'],
  [86_400, '1 day'],
])('a deleted router that is kept for %i seconds is kept for %s', (seconds, words) => {
  expect(inWords(seconds)).toBe(words)
})

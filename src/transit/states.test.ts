import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterAction,
  occupiesSpace,
  PREFIX_ACTIONS,
  PREFIX_STATUSES,
  type PrefixAction,
  type PrefixStatus,
} from './states.ts'

const actions = Object.keys(PREFIX_ACTIONS) as PrefixAction[]
const anyStatus = fc.constantFrom(...PREFIX_STATUSES)
const anyAction = fc.constantFrom(...actions)

describe('the states of a prefix', () => {
  test('are all reached from PENDING', () => {
    const reached = new Set<PrefixStatus>(['PENDING'])
    for (let size = 0; size !== reached.size;) {
      size = reached.size
      for (const status of reached) for (const action of actions) reached.add(afterAction(action, status) ?? status)
    }
    expect([...reached].toSorted()).toEqual([...PREFIX_STATUSES].toSorted())
  })

  test('end with WITHDRAWN, whatever is tried', () => {
    for (const action of actions) expect(afterAction(action, 'WITHDRAWN')).toBeNull()
  })

  test('become APPROVED by staff alone, never by a check or a customer', () => {
    for (const action of actions) expect(PREFIX_ACTIONS[action].to === 'APPROVED').toBe(action === 'approve')
  })

  test('never give back space that was given up: what was rejected or withdrawn takes no place from the next holder', () => {
    fc.assert(
      fc.property(anyStatus, fc.array(anyAction, { maxLength: 12 }), (start, chosen) => {
        let status = start
        let gaveUp = !occupiesSpace(status)
        for (const action of chosen) {
          status = afterAction(action, status) ?? status
          if (gaveUp) expect(occupiesSpace(status)).toBe(false)
          gaveUp ||= !occupiesSpace(status)
        }
      }),
    )
  })

  test('let a holder leave from every state that holds space', () => {
    for (const status of PREFIX_STATUSES.filter(occupiesSpace))
      expect(afterAction('withdraw', status)).toBe('WITHDRAWN')
  })
})

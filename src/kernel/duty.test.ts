import { expect, test } from 'vitest'
import { dutyRefusal, holds, STAFF_ROLES } from './duty.ts'

test.each(STAFF_ROLES)('an owner may what %s may', (duty) => expect(holds(['owner'], duty)).toBe(true))

test('any other role may its own and nothing else', () => {
  for (const role of STAFF_ROLES.filter((one) => one !== 'owner')) {
    expect(STAFF_ROLES.filter((duty) => holds([role], duty))).toEqual([role])
  }
})

test('roles add up, and nobody has any by default', () => {
  expect(STAFF_ROLES.filter((duty) => holds(['support', 'billing'], duty))).toEqual(['support', 'billing'])
  expect(STAFF_ROLES.filter((duty) => holds([], duty))).toEqual([])
})

test('a refusal names the roles that may', () => {
  expect(dutyRefusal(['support'], 'support')).toBeNull()
  expect(dutyRefusal(['support'], 'network')).toBe('Requires the Network or Owner role.')
  expect(dutyRefusal(['billing'], 'owner')).toBe('Requires the Owner role.')
})

import { expect, test } from 'vitest'
import { missingRoleReason, hasRole, STAFF_ROLES } from './required-role.ts'

test.each(STAFF_ROLES)('an owner may what %s may', (requiredRole) =>
  expect(hasRole(['owner'], requiredRole)).toBe(true),
)

test('any other role may its own and nothing else', () => {
  for (const role of STAFF_ROLES.filter((one) => one !== 'owner')) {
    expect(STAFF_ROLES.filter((requiredRole) => hasRole([role], requiredRole))).toEqual([role])
  }
})

test('roles add up, and no one has any by default', () => {
  expect(STAFF_ROLES.filter((requiredRole) => hasRole(['support', 'billing'], requiredRole))).toEqual([
    'support',
    'billing',
  ])
  expect(STAFF_ROLES.filter((requiredRole) => hasRole([], requiredRole))).toEqual([])
})

test('a refusal names the roles that may', () => {
  expect(missingRoleReason(['support'], 'support')).toBeNull()
  expect(missingRoleReason(['support'], 'network')).toBe('Requires the Network or Owner role.')
  expect(missingRoleReason(['billing'], 'owner')).toBe('Requires the Owner role.')
})

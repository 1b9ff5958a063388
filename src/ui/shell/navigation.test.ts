import { expect, test } from 'vitest'
import type { StaffRole } from '../../kernel/required-role.ts'
import type { CurrentUser } from '../runtime/session.ts'
import { currentness, navigationOf, phoneItemsOf } from './navigation.ts'

const someone = (roles: readonly StaffRole[], asnVerifiedAt: string | null) =>
  ({ isAdmin: roles.length > 0, roles, asnVerifiedAt }) as CurrentUser

const labels = (items: readonly { readonly label: string }[]) => items.map(({ label }) => label)
const VERIFIED = '2026-11-01T00:00:00.000Z'
const OWN = ['Routers', 'IP Transit', 'Billing', 'Settings']
const OWN_OF_STAFF = ['Your routers', 'IP Transit', 'Your billing', 'Settings']
const OF_ALL_STAFF = ['Dashboard', 'Customers', 'Prefixes', 'Sessions', 'Routers', 'Infrastructure']

test('shows customers their own screens, with and without a verified ASN', () => {
  for (const asn of [null, VERIFIED]) {
    const { own, staff } = navigationOf(someone([], asn))
    expect([labels(own), staff]).toEqual([OWN, []])
  }
})

test.each<[StaffRole, string[]]>([
  ['owner', [...OF_ALL_STAFF, 'Billing', 'Audit log', 'Team']],
  ['billing', [...OF_ALL_STAFF, 'Billing', 'Audit log']],
  ['network', [...OF_ALL_STAFF, 'Audit log']],
  ['support', [...OF_ALL_STAFF, 'Audit log']],
])('shows the role %s what it works with', (role, expected) => {
  const { own, staff } = navigationOf(someone([role], null))
  expect([labels(own), labels(staff)]).toEqual([['Settings'], expected])
})

test('shows staff without roles what all staff work with', () => {
  const { staff } = navigationOf({ isAdmin: true, asnVerifiedAt: null } as CurrentUser)
  expect(labels(staff)).toEqual([...OF_ALL_STAFF, 'Audit log'])
})

test('shows staff with an ASN their own network below, each link under a name of its own', () => {
  const { own, staff } = navigationOf(someone(['owner'], VERIFIED))
  expect(labels(own)).toEqual(OWN_OF_STAFF)
  const names = labels([...own, ...staff])
  expect(new Set(names).size).toBe(names.length)
})

test('gives each screen a key of its own', () => {
  const { own, staff } = navigationOf(someone(['owner'], VERIFIED))
  const keys = [...own, ...staff].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('has no more than five places on a phone, and the dashboard of staff is called Admin', () => {
  expect(labels(phoneItemsOf(someone([], null)))).toEqual(OWN)
  expect(labels(phoneItemsOf(someone(['owner'], VERIFIED)))).toEqual(['Admin', ...OWN_OF_STAFF])
  expect(labels(phoneItemsOf(someone(['owner'], null)))).toEqual([
    'Admin',
    'Customers',
    'Prefixes',
    'Routers',
    'Settings',
  ])
})

test('marks the place that a screen belongs to', () => {
  const { staff } = navigationOf(someone(['owner'], null))
  const marked = (path: string) =>
    staff.filter((item) => currentness(item, path) !== undefined).map((item) => [item.label, currentness(item, path)])
  expect(marked('/admin')).toEqual([['Dashboard', 'page']])
  expect(marked('/admin/queues/mails_failed')).toEqual([['Dashboard', 'true']])
  expect(marked('/admin/users/4/billing')).toEqual([['Customers', 'true']])
  expect(marked('/admin/hypervisors/1')).toEqual([['Infrastructure', 'true']])
  expect(marked('/admin/inventory/pools/1')).toEqual([['Infrastructure', 'true']])
  expect(marked('/admin/tax')).toEqual([['Billing', 'true']])
})

import { expect, test } from 'vitest'
import { prefixListVariables, readStatus } from './prefix-list-variables.ts'
import { totalOf } from '../../../ui/staff/total-of.ts'
import { userListVariables } from '../../../accounts/portal/staff/user-list-variables.ts'
import { startOfYesterday } from '../../../accounts/portal/staff/user-name.ts'

test('the status of an address is sent uppercased', () => {
  expect(prefixListVariables('pending')).toEqual({ status: 'PENDING' })
  expect(prefixListVariables('Needs_Action', 'x')).toEqual({ status: 'NEEDS_ACTION', search: 'x' })
})

test('what is no status is not sent', () => {
  expect(readStatus('sold')).toBeUndefined()
  expect(prefixListVariables('sold')).toEqual({})
  expect(prefixListVariables(undefined)).toEqual({})
})

test('recent users are those since local midnight of yesterday, also over the turn of a year', () => {
  const since = new Date(startOfYesterday(new Date(2026, 0, 1, 0, 5)))
  expect([since.getFullYear(), since.getMonth(), since.getDate(), since.getHours(), since.getMinutes()]).toEqual([
    2025, 11, 31, 0, 0,
  ])
})

test('each type of users asks its own question', () => {
  expect(userListVariables('recent')).toEqual({ since: startOfYesterday() })
  expect(userListVariables('paying')).toEqual({ wantsCustomers: true })
  expect(userListVariables(undefined, 'AS1')).toEqual({ search: 'AS1' })
})

test('a count that a search cut off is not shown as the whole', () => {
  expect(totalOf(1_000, 'ann')).toEqual({})
  expect(totalOf(999, 'ann')).toEqual({ total: 999 })
  expect(totalOf(1_000_000, '')).toEqual({ total: 1_000_000 })
})

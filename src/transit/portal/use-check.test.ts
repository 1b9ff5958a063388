import { expect, test } from 'vitest'
import { ORIGIN_PATTERN, originOf } from './use-check.ts'

const named = (originAsn: string) => originOf({ value: '', announcementType: 'DOWNSTREAM', originAsn }).originAsn

test.each([
  ['AS64500', 64_500],
  [' as64500 ', 64_500],
  ['64500', 64_500],
  // The API rejects it with a reason, and the form must not treat it as empty.
  ['0', 0],
  ['AS4294967296', 4_294_967_296],
  ['', undefined],
])('an origin typed as %j is sent as %j', (typed, asn) => {
  expect(named(typed)).toBe(asn)
})

test.each(['AS64500 AS64501', '1.10', 'ours', 'AS-SET'])('the field does not take %j as an origin', (typed) => {
  expect(new RegExp(`^(?:${ORIGIN_PATTERN.source})$`, 'v').test(typed)).toBe(false)
})

test('only what a customer of the customer originates has an origin to name', () => {
  expect(originOf({ value: '', announcementType: 'ORIGIN', originAsn: 'AS64500' })).toEqual({})
})

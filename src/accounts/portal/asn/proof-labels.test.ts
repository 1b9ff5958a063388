import { expect, test } from 'vitest'
import { staffListWords } from './proof-labels.ts'

test('the proof page says that an ASN is in the queue of staff only while it is', () => {
  expect(staffListWords({ asn: 500_010, waitsForStaff: true })).toContain('AS500010 is in our staff’s queue')
  expect(staffListWords({ asn: 500_010, waitsForStaff: false })).toBeNull()
  expect(staffListWords({ asn: null, waitsForStaff: false })).toBeNull()
})

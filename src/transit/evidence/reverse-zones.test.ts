import { describe, expect, test } from 'vitest'
import { parsePrefix } from '../../kernel/prefix.ts'
import { reverseZones } from './reverse-zones.ts'

const zones = (text: string) => reverseZones(parsePrefix(text))

describe('the reverse zones of a prefix', () => {
  test.each([
    ['45.30.10.0/24', ['10.30.45.in-addr.arpa']],
    ['45.30.0.0/16', ['30.45.in-addr.arpa']],
    ['45.0.0.0/8', ['45.in-addr.arpa']],
    ['2001:db8::/32', ['8.b.d.0.1.0.0.2.ip6.arpa']],
    ['2001:db8:10::/48', ['0.1.0.0.8.b.d.0.1.0.0.2.ip6.arpa']],
  ])('%s is one zone where it ends with a label', (prefix, expected) => expect(zones(prefix)).toEqual(expected))

  test('an IPv4 prefix that does not end with an octet is split at the next one', () => {
    expect(zones('203.0.112.0/22')).toEqual([
      '112.0.203.in-addr.arpa',
      '113.0.203.in-addr.arpa',
      '114.0.203.in-addr.arpa',
      '115.0.203.in-addr.arpa',
    ])
    expect(zones('45.32.0.0/15')).toEqual(['32.45.in-addr.arpa', '33.45.in-addr.arpa'])
  })

  test('an IPv6 prefix that does not end with a nibble is split at the next one', () => {
    expect(zones('2001:db8:c0::/42')).toEqual(
      ['c', 'd', 'e', 'f'].map((nibble) => `${nibble}.0.0.8.b.d.0.1.0.0.2.ip6.arpa`),
    )
    expect(zones('2001:db8::/29')).toHaveLength(8)
  })

  test('a prefix of more than sixteen zones has another proof', () => {
    expect(zones('45.30.0.0/20')).toHaveLength(16)
    expect(zones('45.30.0.0/19')).toBeNull()
    expect(zones('45.30.0.0/17')).toBeNull()
  })
})

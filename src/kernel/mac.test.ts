import { expect, test } from 'vitest'
import { linkLocalOf } from './mac.ts'

test.each([
  // The example of RFC 4291 appendix A.
  ['34:56:78:9a:bc:de', 'fe80::3656:78ff:fe9a:bcde'],
  ['02:4c:00:00:00:09', 'fe80::4c:ff:fe00:9'],
  ['52:54:00:0a:0b:0c', 'fe80::5054:ff:fe0a:b0c'],
])('an interface with the MAC address %s has the link-local address %s', (mac, address) => {
  expect(linkLocalOf(mac)).toBe(address)
})

import { expect, test } from 'vitest'
import { explainSessionError } from './bgp-errors.ts'

// The words of BIRD 2.0.12: proto/bgp/packets.c (notifications) and proto/bgp/bgp.c (other errors).
test.each([
  ['BGP Error: Hold timer expired', 'hold timer expired'],
  ['Received: Administrative shutdown', 'administrative shutdown'],
  ['Received: Administrative reset', 'reset the session'],
  ['Received: Peer de-configured', 'no longer has this neighbor'],
  ['Error: Bad peer AS: 64500', 'AS numbers'],
  ['BGP Error: Bad peer AS', 'AS numbers'],
  ['Automatic shutdown: Route limit exceeded', 'more routes than the limit'],
  ['BGP Error: Maximum number of prefixes reached', 'more routes than the limit'],
  ['Socket: Connection refused', 'refuses the connection'],
  ['Socket: No route to host', 'cannot reach'],
  ['Error: Neighbor lost', 'cannot reach'],
  ['Socket: Connection timed out', 'did not answer'],
  ['Error: Kernel MD5 auth failed', 'MD5 keys'],
  ['Socket: Connection reset by peer', 'was cut'],
  ['Error: Connection closed', 'was cut'],
  ['BGP Error: Role mismatch', 'BGP roles'],
  ['BGP Error: Required capability missing', 'capability'],
  ['BGP Error: Unacceptable hold time', 'hold time'],
  ['BGP Error: Bad BGP identifier', 'BGP identifier'],
])('explains "%s"', (error, cause) => {
  const explained = explainSessionError(error)
  expect(explained?.cause).toContain(cause)
  expect(explained?.fix).toMatch(/\.$/)
})

test('has no words for an error that it does not know', () => {
  expect(explainSessionError('Received: 42.7')).toBeNull()
  expect(explainSessionError(null)).toBeNull()
})

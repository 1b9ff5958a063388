import { expect, test } from 'vitest'
import { explainSession, explainSessionError, toStaff } from './bgp-errors.ts'

// The messages of BIRD 2.0.12: proto/bgp/packets.c (notifications) and proto/bgp/bgp.c (other errors).
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

test.each(['CONNECT', 'ACTIVE', 'OPENSENT'])(
  'names the MD5 key and the TTL in %s, where BIRD has no error',
  (state) => {
    const explained = explainSession({ state, lastError: null })
    expect(explained?.cause).toBe('Our edge gets no answer from your router.')
    expect(explained?.fix).toMatch(/TTL 255.*MD5/)
    expect(explainSession({ state, lastError: 'Received: 42.7' })).toBeNull()
    expect(explainSession({ state, lastError: 'Socket: Connection refused' })?.cause).toContain('refuses')
  },
)

test.each(['IDLE', 'DISABLED', 'OPENCONFIRM', 'ESTABLISHED'])('has nothing to say of %s without an error', (state) => {
  expect(explainSession({ state, lastError: null })).toBeNull()
})

test('speaks to staff of the router, which is not theirs', () => {
  const of = (error: string) => toStaff(explainSessionError(error)!.cause)
  expect(of('BGP Error: Hold timer expired')).toBe('The router stopped answering (hold timer expired, RFC 4271).')
  expect(of('Socket: No route to host')).toBe('The edge cannot reach the address of the router.')
})

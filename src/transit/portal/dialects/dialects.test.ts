import { describe, expect, test } from 'vitest'
import type { TransitConnection, TransitPrefix } from '../../contract.ts'
import { configurations, readPeering } from './index.ts'

const session = (family: 4 | 6, own: string, edge: string) => ({
  family,
  localAsn: 500000,
  localAddress: edge,
  peerAsn: 500010,
  peerAddress: own,
  bfd: { enabled: false, state: null },
})
const connection = (changes: object = {}) =>
  ({
    hasPassword: false,
    sessions: [session(4, '203.0.113.11', '203.0.113.1'), session(6, '2001:db8:100::b', '2001:db8:100::1')],
    ...changes,
  }) as unknown as TransitConnection
const prefix = (value: string, announcementType: string, status = 'APPROVED') =>
  ({ value, announcementType, status }) as unknown as TransitPrefix
const written = (prefixes: TransitPrefix[], changes: object = {}) => {
  const peering = readPeering(connection(changes), prefixes)
  return peering ? configurations(peering) : []
}

describe('configurations for a router that is configured by hand', () => {
  test('exist in five dialects once there is a session, and not before', () => {
    expect(written([]).map(({ label }) => label)).toEqual(['BIRD 2', 'FRR', 'OpenBGPD', 'RouterOS', 'VyOS'])
    expect(readPeering(connection({ sessions: [] }), [])).toBeNull()
  })

  test('name both ends of both sessions in every dialect', () => {
    for (const { label, text } of written([])) {
      for (const part of ['203.0.113.1', '2001:db8:100::1', '500000', '500010']) expect(text, label).toContain(part)
    }
  })

  test('let out what is approved and nothing that still waits', () => {
    const prefixes = [
      prefix('45.30.10.0/24', 'ORIGIN'),
      prefix('45.30.11.0/24', 'DOWNSTREAM'),
      prefix('45.30.12.0/24', 'ORIGIN', 'PENDING'),
      prefix('45.30.14.0/24', 'STATIC'),
    ]
    for (const { label, text } of written(prefixes)) {
      expect(text, label).toContain('45.30.10.0/24')
      expect(text, label).toContain('45.30.11.0/24')
      expect(text, label).not.toContain('45.30.12.0/24')
      expect(text, label).not.toContain('45.30.14.0/24')
    }
  })

  test('carry BFD for the session that has it on, and OpenBGPD says that it has none', () => {
    const [v4, v6] = connection().sessions
    const on = { sessions: [{ ...v4!, bfd: { enabled: true, state: null } }, v6] }
    const text = Object.fromEntries(written([], on).map((one) => [one.label, one.text]))
    expect(text['BIRD 2']!.match(/bfd on;/g)).toHaveLength(1)
    expect(text['BIRD 2']).toContain('protocol bfd {')
    expect(text['FRR']!.match(/^ peer .*/gm)).toEqual([' peer 203.0.113.1 local-address 203.0.113.11'])
    expect(text['OpenBGPD']).toContain('# OpenBGPD has no BFD')
    expect(text['RouterOS']!.match(/use-bfd=yes/g)).toHaveLength(1)
    expect(text['VyOS']!.match(/bfd peer .* source address .*/g)).toHaveLength(1)
    for (const { label, text: off } of written([])) expect(off, label).not.toMatch(/bfd/i)
  })

  test('carry a prepend and a blackhole in every dialect, as comments to take out', () => {
    for (const { label, text } of written([prefix('45.30.10.0/24', 'ORIGIN'), prefix('2d10:10::/32', 'ORIGIN')])) {
      const comments = text.split('\n').filter((line) => /^\s*[#!] /.test(line))
      for (const part of ['500000', '1012', '45.30.10.7/32', '2d10:10::7/128'])
        expect(comments.join('\n'), label).toContain(part)
      expect(text, label).toMatch(/65535(:|, )666|BLACKHOLE/)
      // Pasted unchanged, none of it takes effect.
      const active = text.split('\n').filter((line) => !comments.includes(line))
      for (const part of ['1012', '45.30.10.7', '2d10:10::7']) expect(active.join('\n'), label).not.toContain(part)
    }
  })

  test('let nothing out of RouterOS and VyOS that their filters do not name', () => {
    const text = Object.fromEntries(
      written([prefix('45.30.10.0/24', 'ORIGIN')]).map((one) => [one.label, one.text.replaceAll(/^# .*\n/gm, '')]),
    )
    expect(text['RouterOS']!.match(/chain=transit4-out rule=.*/g)).toEqual([
      'chain=transit4-out rule="if (dst==45.30.10.0/24) { accept }"',
      'chain=transit4-out rule="reject"',
    ])
    expect(text['VyOS']!.match(/route-map .*/g)).toEqual([
      'route-map transit4-out rule 20 action permit',
      'route-map transit4-out rule 20 match ip address prefix-list own4',
      'route-map export transit4-out',
      'route-map transit6-out rule 20 action permit',
      'route-map transit6-out rule 20 match ipv6 address prefix-list own6',
      'route-map export transit6-out',
    ])
  })

  test('originate only what starts at the own ASN', () => {
    const [bird] = written([prefix('45.30.10.0/24', 'ORIGIN'), prefix('45.30.11.0/24', 'DOWNSTREAM')])
    expect(bird?.text).toContain('route 45.30.10.0/24 blackhole')
    expect(bird?.text).not.toContain('route 45.30.11.0/24')
  })

  test('announce nothing at all while nothing is approved', () => {
    const [bird, frr] = written([])
    expect(bird?.text).toContain('export none')
    expect(frr?.text).toContain('ip prefix-list own4 deny any')
  })

  test('leave a place for the password exactly when the sessions are signed', () => {
    for (const { label, text } of written([], { hasPassword: true })) {
      expect(text.match(/YOUR-BGP-PASSWORD/g), label).toHaveLength(2)
    }
    for (const { label, text } of written([])) expect(text, label).not.toMatch(/password|md5/i)
  })
})

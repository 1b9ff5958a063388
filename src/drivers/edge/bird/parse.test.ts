import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRoutes } from './parse-routes.ts'
import { parseOwnNames, parseSessions, parseTablesWithFiltered, parseUpstreams } from './parse-protocols.ts'
import { ReplyReader, type Reply } from './reply.ts'

const reply = (text: string, truncated = false): Reply => ({
  ...new ReplyReader(1_000_000).push(`${text}\n0000 \n`)!,
  truncated,
})

const summary = (state: string, info: string): string =>
  `2002-Name       Proto      Table      State  Since         Info\n1002-lh_c10_v4  BGP        ---        ${state}     2026-11-21T01:50:29+0200  ${info}`

describe('the sessions of the operator', () => {
  const one = (name: string, info: string) =>
    `1002-${name} BGP        ---        up     2026-11-21T01:50:29+0000  ${info}`

  test('are the BGP protocols that are not ours, also with names that BIRD quotes', () => {
    const lines = [one('lh_c10_v4', 'Established'), one('transit-a.v4', 'Established'), one('upstream1', 'Active')]
    const text = `2002-Name       Proto      Table      State  Since         Info\n${lines.join('\n')}
1002-device1    Device     ---        up     2026-11-21T01:50:29+0000
1002-validator1 RPKI       ---        up     2026-11-21T01:50:29+0000  Established`
    expect(parseOwnNames(reply(text))).toEqual([
      { name: 'transit-a.v4', established: true },
      { name: 'upstream1', established: false },
    ])
  })

  test('count the routes of both families, and one that BIRD shut is not the will of its operator', () => {
    const detail = `1006-  BGP state:          Established
     Neighbor address: 2001:db8::1%eth0
     Neighbor AS:      4200000001
   Channel ipv4
     Routes:         900 imported, 2 exported, 900 preferred
   Channel ipv6
     Routes:         100 imported, 7 filtered, 1 exported, 90 preferred`
    expect(parseUpstreams(reply(`${one('both', 'Established')}\n${detail}`))).toEqual([
      {
        name: 'both',
        asn: 4_200_000_001,
        address: '2001:db8::1',
        state: 'ESTABLISHED',
        since: new Date('2026-11-21T01:50:29Z'),
        received: 1_007,
        exported: 3,
        lastError: null,
      },
    ])
    const down = (error: string) =>
      parseUpstreams(
        reply(
          `${one('both', 'Down').replace(' up ', ' down ')}\n1006-  BGP state:          Down\n     Last error:       ${error}`,
        ),
      )[0]
    expect(down('Automatic shutdown: Route limit exceeded')).toMatchObject({ state: 'IDLE' })
    expect(down('Administrative shutdown')).toMatchObject({ state: 'DISABLED' })
  })
})

test('only a table with a filtered route of the protocol is asked for those', () => {
  const channel = (table: string, routes: string) => `   Channel ipv4
     State:          UP
     Table:          ${table}
     Routes:         ${routes}`
  const channels = [
    channel('master4', '900 imported, 0 filtered, 2 exported, 900 preferred'),
    // Without `import keep filtered` BIRD has none to show.
    channel('kept.none', '10 imported, 1 exported, 9 preferred'),
    channel('master6', '100 imported, 10 filtered, 1 exported, 90 preferred'),
  ]
  expect(parseTablesWithFiltered(reply(`${summary('up', 'Established')}\n1006-${channels.join('\n')}`))).toEqual([
    'master6',
  ])
})

describe('show protocols all', () => {
  test('an established session with its counts', () => {
    const text = `${summary('up', 'Established   ')}
1006-  BGP state:          Established
     Neighbor AS:      500010
   Channel ipv4
     State:          UP
     Routes:         2 imported, 3 filtered, 1 exported, 2 preferred
     Route change stats:     received   rejected   filtered    ignored   accepted
       Import updates:              5          0          3          0          2`
    expect(parseSessions(reply(text))).toEqual([
      {
        customerId: 10,
        family: 4,
        state: 'ESTABLISHED',
        since: new Date('2026-11-20T23:50:29Z'),
        received: 5,
        accepted: 2,
        exported: 1,
        lastError: null,
      },
    ])
  })

  test.each([
    ['start', 'Active        Socket: Connection refused', 'Active', 'ACTIVE'],
    ['start', 'Idle          BGP Error: Hold timer expired', 'Idle', 'IDLE'],
    ['start', 'OpenSent', 'OpenSent', 'OPENSENT'],
    ['start', 'OpenConfirm', 'OpenConfirm', 'OPENCONFIRM'],
    ['start', 'Connect', 'Connect', 'CONNECT'],
    ['stop', 'Close', 'Close', 'IDLE'],
    ['down', '', 'Down', 'DISABLED'],
    ['start', 'Something', 'Something new', 'IDLE'],
  ])('%s %s is read as the state of RFC 4271', (state, info, bgp, expected) => {
    const [session] = parseSessions(reply(`${summary(state, info)}\n1006-  BGP state:          ${bgp}`))
    expect(session?.state).toBe(expected)
  })

  test('the last error is told in the words of BIRD', () => {
    const text = `${summary('start', 'Idle')}\n1006-  BGP state:          Idle\n     Last error:       Received: Role mismatch`
    expect(parseSessions(reply(text))[0]?.lastError).toBe('Received: Role mismatch')
  })

  test('the message of the router’s operator stands behind the error, without what steers a terminal', () => {
    const after = (error: string) =>
      parseSessions(
        reply(
          `${summary('start', 'Idle')}\n1006-  Message:        New line\u001b card\n     Last error:       ${error}`,
        ),
      )[0]?.lastError
    expect(after('Received: Administrative shutdown')).toBe('Received: Administrative shutdown: New line card')
    expect(after('Socket: Connection refused')).toBe('Socket: Connection refused')
  })

  test.each(['lh_c10_v5', 'lh_c0_v4', 'lh_c01_v4', 'lh_c1234567_v4', 'lh_s10_v4', 'upstream1_v4', 'xlh_c1_v4'])(
    '%s is not a session of a customer',
    (name) => {
      expect(parseSessions(reply(summary('up', 'Established').replace('lh_c10_v4', name)))).toEqual([])
    },
  )

  test('a time in another format is no time', () => {
    const text = summary('up', 'Established').replace('2026-11-21T01:50:29+0200', '01:50:29.684')
    expect(parseSessions(reply(text))[0]?.since).toBeNull()
  })
})

const ROUTES = `1007-Table master4:
 10.1.0.0/16          unicast [lh_c10_v4 01:50:29.684] * (100) [AS500010i]
 \tvia 203.0.113.10 on seg0
1008-\tType: BGP univ
1012-\tBGP.origin: IGP
 \tBGP.as_path: 500010 500011
 \tBGP.large_community: (500000, 1, 1) (500000, 1101, 5) (64500, 1101, 7)
1007-2d10:10::/32         unicast [lh_c10_v4 01:50:29.684] * (100) [AS500010i]
 \tvia 203.0.113.10 on seg0
1012-\tBGP.as_path: 500010 {500011 500012}
 \tBGP.large_community: (500000, 1101, 99)`

describe('show route all', () => {
  const context = { localAsn: 500_000, accepted: false, limit: 10 }

  test('reads origin and refusal, believing only our own communities and only codes that exist', () => {
    expect(parseRoutes(reply(ROUTES), context)).toEqual([
      { prefix: '10.1.0.0/16', origin: 500_011, accepted: false, rejection: 5 },
      { prefix: '2d10:10::/32', origin: null, accepted: false, rejection: null },
    ])
  })

  test('an accepted route has no refusal', () => {
    expect(parseRoutes(reply(ROUTES), { ...context, accepted: true })[0]).toMatchObject({
      accepted: true,
      rejection: null,
    })
  })

  test('hands out no more than asked for', () => {
    expect(parseRoutes(reply(ROUTES), { ...context, limit: 1 })).toHaveLength(1)
  })

  test('drops the last route of an answer that was cut, for its verdict may be missing', () => {
    expect(parseRoutes(reply(ROUTES, true), context)).toHaveLength(1)
  })

  test('whatever lines come, nothing is thrown and no impossible value is handed out', () => {
    const piece = fc.oneof(fc.constantFrom(...ROUTES.split('\n').map((line) => line.slice(1))), fc.string())
    const lines = fc.array(fc.record({ code: fc.nat(9999), text: piece }))
    const property = fc.property(lines, (hostile) => {
      const answer = { code: 0, lines: hostile, truncated: false }
      for (const route of parseRoutes(answer, context)) {
        expect(route.prefix).toMatch(/^[0-9a-f.:]+\/\d+$/)
        expect(route.origin ?? 0).toBeLessThan(2 ** 32)
      }
      for (const session of parseSessions(answer)) expect(session.accepted).toBeGreaterThanOrEqual(0)
    })
    fc.assert(property, { numRuns: 1000 })
  })
})

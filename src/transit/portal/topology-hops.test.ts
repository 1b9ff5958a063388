import { describe, expect, test } from 'vitest'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import { topologyOf } from './topology-hops.ts'

const session = (family: 4 | 6, changes: object = {}) => ({
  family,
  state: 'ESTABLISHED',
  stateKnown: true,
  lastError: null,
  ...changes,
})
const connection = (changes: object = {}) =>
  ({
    asn: 500010,
    operatorAsn: 500000,
    router: { id: 1, uuid: '', name: 'edge-1', state: 'RUNNING' },
    sessions: [session(4), session(6)],
    enabled: true,
    edge: { name: 'edge-ams', site: 'Amsterdam', current: true, appliedAt: null, error: null, lacks: [] },
    ...changes,
  }) as unknown as TransitConnection
const prefix = (accepted: string, exported: string) =>
  ({
    stages: [
      { name: 'accepted', state: accepted },
      { name: 'exported', state: exported },
    ],
  }) as unknown as TransitPrefix
const carried = [prefix('done', 'done')]
const SINCE = '2026-07-01T12:00:00.000Z'
const lost = (value: string, name: string, changes: object = {}) =>
  ({
    value,
    status: 'APPROVED',
    stages: [
      { name: 'received', state: 'waiting' },
      { name: 'accepted', state: name === 'exported' ? 'done' : 'waiting' },
      { name: 'exported', state: 'waiting' },
    ].map((stage) =>
      stage.name === name
        ? {
            ...stage,
            state: 'failed',
            at: SINCE,
            detail: 'No longer announced',
            cause: null,
            fix: 'Fix it.',
            ...changes,
          }
        : stage,
    ),
  }) as unknown as TransitPrefix

describe('the way of a customer’s routes', () => {
  test('has no failure where every hop is up', () => {
    const topology = topologyOf(connection(), carried)!
    expect(topology.nodes.map(({ tone }) => tone)).toEqual(['ok', 'ok', 'ok'])
    expect(topology.links[0]!.map(({ label, state }) => `${label} ${state}`)).toEqual([
      'IPv4 Established',
      'IPv6 Established',
    ])
    expect(topology.failure).toBeNull()
  })

  test('is not drawn without a router', () => {
    expect(topologyOf(connection({ router: null }), carried)).toBeNull()
  })

  test('fails at the router first: while it is stopped no session can be up', () => {
    const stopped = connection({
      router: { id: 1, uuid: '', name: 'edge-1', state: 'STOPPED' },
      sessions: [session(4, { state: 'ACTIVE' })],
    })
    expect(topologyOf(stopped, [])!.failure).toMatchObject({
      hop: 'edge-1',
      reason: expect.stringContaining('state is Stopped'),
    })
  })

  test('shows the session that is down as failing, with the cause and what fixes it', () => {
    const down = connection({
      sessions: [session(4, { state: 'IDLE', lastError: 'Received: Administrative shutdown' }), session(6)],
    })
    const topology = topologyOf(down, carried)!
    expect(topology.links[0]!.map(({ tone }) => tone)).toEqual(['bad', 'ok'])
    expect(topology.failure!.hop).toBe('IPv4 session')
    expect(topology.failure!.reason).toContain('Enable the neighbor on your router.')
  })

  test('says what to check where the edge has no reason: the TTL and the MD5 key', () => {
    const unanswered = connection({ sessions: [session(4), session(6, { state: 'CONNECT' })] })
    expect(topologyOf(unanswered, carried)!.failure).toMatchObject({
      hop: 'IPv6 session',
      reason: expect.stringMatching(/no answer from your router.*TTL 255.*MD5/),
    })
  })

  test('tells no state of a session while nothing is heard of the edge, which then is what fails', () => {
    const silent = connection({
      sessions: [session(4, { stateKnown: false })],
      edge: {
        name: 'edge-ams',
        site: null,
        current: false,
        appliedAt: null,
        error: 'The edge is not responding.',
        lacks: [],
      },
    })
    const topology = topologyOf(silent, carried)!
    expect(topology.links[0]![0]).toMatchObject({ tone: 'unknown', state: 'Unknown' })
    expect(topology.failure).toEqual({ hop: 'edge-ams', tone: 'bad', reason: 'The edge is not responding.' })
  })

  test('calls a session that is off by intent disabled, and no failure', () => {
    const off = connection({ enabled: false, sessions: [session(4, { state: 'DISABLED' })] })
    expect(topologyOf(off, [])!.links[0]![0]).toMatchObject({ tone: 'off', state: 'Disabled' })
    expect(topologyOf(off, [])!.failure).toBeNull()
  })

  test.each([
    [[prefix('done', 'waiting')], 'bad', 'Not announced'],
    [[prefix('done', 'done'), prefix('done', 'waiting')], 'warn', 'Partly announced'],
    [[prefix('done', 'unknown')], 'unknown', 'Unknown'],
    [[prefix('unknown', 'unknown'), prefix('waiting', 'waiting')], 'unknown', 'Unknown'],
    [[prefix('waiting', 'waiting')], 'off', 'Nothing announced'],
    [[lost('45.30.12.0/24', 'received')], 'bad', 'Not announced'],
    [[lost('45.30.12.0/24', 'accepted')], 'bad', 'Not announced'],
    [[lost('45.30.12.0/24', 'exported')], 'bad', 'Not announced'],
    [[prefix('done', 'done'), lost('45.30.12.0/24', 'received')], 'warn', 'Partly announced'],
  ])('says of the upstreams what becomes of the customer’s own prefixes %#', (prefixes, tone, state) => {
    expect(topologyOf(connection(), prefixes)!.nodes[2]).toMatchObject({ tone, state })
  })

  test.each([
    [[], 'No prefixes Announced', undefined],
    [[prefix('done', 'waiting')], '0 of 1 prefix Announced', 'bad'],
    [[prefix('done', 'done'), prefix('done', 'waiting')], '1 of 2 prefixes Announced', 'warn'],
    [[lost('45.30.12.0/24', 'received')], '0 of 1 prefix Announced', 'bad'],
    [[prefix('unknown', 'unknown')], 'Prefixes Unknown', undefined],
  ])('counts on the line how many of them are announced, and is red where none is %#', (prefixes, phrase, tone) => {
    const { links, failure } = topologyOf(connection(), prefixes)!
    expect(`${links[1]![0]!.label} ${links[1]![0]!.state}`).toBe(phrase)
    expect(failure?.tone).toBe(tone)
  })

  test('says of a lost prefix since when it is, why and what fixes it, and counts it among those due', () => {
    const one = lost('45.30.12.0/24', 'received', { cause: 'The router stopped.' })
    const topology = topologyOf(connection(), [...carried, one])!
    expect(topology.links[1]![0]!.label).toBe('1 of 2 prefixes')
    expect(topology.failure).toEqual({
      hop: '45.30.12.0/24',
      tone: 'warn',
      lost: { what: 'No longer announced', since: SINCE },
      reason: 'The router stopped. Fix it.',
    })
  })

  test('names of several lost prefixes the one that is lost for longest', () => {
    const earlier = lost('45.30.13.0/24', 'exported', { at: '2026-07-01T11:00:00.000Z' })
    expect(topologyOf(connection(), [lost('45.30.12.0/24', 'received'), earlier])!.failure).toMatchObject({
      hop: '45.30.13.0/24 and 1 more',
      lost: { since: '2026-07-01T11:00:00.000Z' },
    })
  })

  test('takes a session that is down for the cause of a lost prefix, and says since when', () => {
    const down = connection({ sessions: [session(4, { state: 'IDLE', downSince: SINCE }), session(6)] })
    expect(topologyOf(down, [lost('45.30.12.0/24', 'received')])!.failure).toMatchObject({
      hop: 'IPv4 session',
      lost: { what: 'Down', since: SINCE },
    })
  })

  test('is not red of a prefix that is no longer approved', () => {
    const suspended: TransitPrefix = { ...lost('45.30.12.0/24', 'received'), status: 'SUSPENDED' }
    expect(topologyOf(connection(), [suspended])!.failure).toBeNull()
  })
})

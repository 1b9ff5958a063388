/** `npm test` sends some eighty malformed messages, `npm run prove` more than a thousand. */
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inNamespace, ip } from '../../../../lab/network/ip.ts'
import { encodeUpdate, hex8, hex16 } from './bgp-encoding.ts'
import { because, customerOf, eventually, skipReason, startScenario, stateOf, type Scenario } from './scenario.ts'
import { attachHost, type Host, type Speaker } from './speaker.ts'

const ATTACKERS = process.env['PROVE'] === undefined ? 10 : 100
const PROGRAM = fileURLToPath(new URL('./raw-speaker.ts', import.meta.url))
const BYSTANDER = '45.31.30.0/24'
const attackers = Array.from({ length: ATTACKERS }, (_, n) => ({
  id: 100 + n,
  asn: 501_000 + n,
  address: `203.0.113.${100 + n}`,
  prefix: `45.33.${n}.0/24`,
}))
type Attacker = (typeof attackers)[number]

const UPDATE = 2
const message = (type: number, body: string): string =>
  `${'f'.repeat(32)}${hex16(19 + body.length / 2)}${hex8(type)}${body}`
const sound = ({ asn, prefix, address }: Attacker): string =>
  encodeUpdate({ prefix, path: String(asn) }, { 4: address, 6: '::' })

/** Attributes that RFC 7606 treats as a withdrawal or discards: the session continues, and so does the list. */
function tolerated({ asn, address, prefix }: Attacker): string[] {
  const origin = '40010100'
  const path = `500200060201${asn.toString(16).padStart(8, '0')}`
  const nextHop = `400304${address
    .split('.')
    .map((byte) => hex8(Number(byte)))
    .join('')}`
  const nlri = `18${prefix
    .split('.')
    .slice(0, 3)
    .map((byte) => hex8(Number(byte)))
    .join('')}`
  return [
    `40010109${path}${nextHop}`,
    `4001020000${path}${nextHop}`,
    `${path}${nextHop}`,
    `${origin}${nextHop}`,
    `${origin}${path}`,
    `${origin}50020006020f${asn.toString(16).padStart(8, '0')}${nextHop}`,
    `${origin}500200060901${asn.toString(16).padStart(8, '0')}${nextHop}`,
    `${origin}${path}${nextHop}c00803ffff02`,
    `${origin}${path}${nextHop}c0200500000001ff`,
    `${origin}${path}${nextHop}c007020001`,
    `${origin}${path}${nextHop}80040100`,
    `${origin}${path}400304ffffffff`,
  ].map((attributes) => message(UPDATE, `0000${hex16(attributes.length / 2)}${attributes}${nlri}`))
}

/** Invalid headers, a second OPEN, lengths beyond the message, and a valid UPDATE with changed bytes. */
function fatal(attacker: Attacker): fc.Arbitrary<string> {
  const body = sound(attacker)
  const changed = fc
    .array(fc.tuple(fc.nat(body.length / 2 - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    .map((changes) => {
      const bytes = Buffer.from(body, 'hex')
      for (const [at, value] of changes) bytes[at] = value
      return message(UPDATE, bytes.toString('hex'))
    })
  return fc.oneof(
    changed,
    fc.constantFrom(
      `${'0'.repeat(32)}${hex16(23)}02${'0'.repeat(8)}`,
      `${'f'.repeat(32)}${hex16(18)}02`,
      `${'f'.repeat(32)}${hex16(0xffff)}02`,
      message(0, ''),
      message(9, 'ff'),
      message(1, 'ff'),
      message(4, '00'),
      message(5, '0001'),
      message(UPDATE, ''),
      message(UPDATE, 'ffff0000'),
      message(UPDATE, '0000ffff'),
      message(UPDATE, '00000000211e2d1e0a'),
    ),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  )
}

describe.skipIf(skipReason)(`a customer that sends malformed messages${because}`, () => {
  let scenario: Scenario
  let host: Host
  let bystander: Speaker
  let child: ChildProcess | null = null

  beforeAll(async () => {
    scenario = await startScenario()
    host = await attachHost(scenario.network, scenario.directory, { host: 60 })
    for (const { address } of attackers)
      await ip('-netns', host.namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    await inNamespace(host.namespace, 'sysctl', '-qw', 'net.ipv4.ip_default_ttl=255')
    bystander = await scenario.speaker({ host: 30, asn: 500_030 })
    await bystander.announce([{ prefix: BYSTANDER }])
  })
  afterAll(async () => {
    child?.kill('SIGKILL')
    await host?.stop()
    await scenario?.stop()
  })

  const sessionsOf = async (id: number) =>
    (await scenario.edge.sessions()).filter((session) => session.customerId === id)

  test('ends its own session at most: no other moves, and nothing that is not approved is accepted', async () => {
    const localAddress = bystander.neighbors[0]!.localAddress
    const customers = attackers.map(({ id, asn, address, prefix }) => ({
      id,
      asn,
      enabled: true,
      neighbors: [{ family: 4 as const, localAddress, peerAddress: address }],
      accept: [{ prefix, origin: asn }],
      statics: [],
      exports: 'default' as const,
    }))
    const accept = [{ prefix: BYSTANDER, origin: 500_030 }]
    await scenario.edge.apply(stateOf(customerOf(bystander, { id: 30, asn: 500_030, accept }), ...customers))
    await eventually(async () => {
      expect((await sessionsOf(30)).map((session) => session.state)).toEqual(['ESTABLISHED', 'ESTABLISHED'])
      expect((await scenario.atUpstream()).has(BYSTANDER)).toBe(true)
    })
    const before = (await sessionsOf(30)).map((session) => session.since)

    const said = new Map<string, number>()
    const orders = attackers.map((attacker) => ({
      local: attacker.address,
      remote: localAddress,
      asn: attacker.asn,
      updates: [sound(attacker)],
      messages: [...tolerated(attacker), ...fc.sample(fatal(attacker), 3)],
    }))
    child = spawn('ip', ['netns', 'exec', host.namespace, process.execPath, PROGRAM])
    child.stdout!.on('data', (chunk: Buffer) => {
      for (const line of String(chunk).split('\n'))
        said.set(line.split(' ')[0]!, (said.get(line.split(' ')[0]!) ?? 0) + 1)
    })
    child.stdin!.end(JSON.stringify(orders))
    // Attackers that collided with the edge's own connection attempt are not up; most are.
    await eventually(async () => expect(said.get('up') ?? 0).toBeGreaterThan(ATTACKERS * 0.8), 30_000)
    await eventually(async () => expect(said.get('notification') ?? 0).toBeGreaterThan(ATTACKERS / 2), 30_000)

    expect(await scenario.askEdge('show status')).toContain('up and running')
    expect((await sessionsOf(30)).map((session) => session.since)).toEqual(before)
    const allowed = [BYSTANDER, ...attackers.map(({ prefix }) => prefix)]
    const announced = [...(await scenario.atUpstream()).keys()]
    expect(announced).toContain(BYSTANDER)
    expect(announced.filter((prefix) => !allowed.includes(prefix))).toEqual([])
    for (const { id, prefix } of attackers)
      for (const route of await scenario.edge.routes(id)) if (route.accepted) expect(route.prefix).toBe(prefix)
  }, 120_000)
})

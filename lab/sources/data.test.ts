/** Checks the demonstration's data through the portal's own drivers. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createIrrd } from '../../src/drivers/irr/irrd/index.ts'
import { createPeeringDbNetworks } from '../../src/drivers/registry/peeringdb-networks.ts'
import { createRdap } from '../../src/drivers/registry/rdap.ts'
import { createJsonSource } from '../../src/drivers/rpki/json/index.ts'
import { createRtrSource } from '../../src/drivers/rpki/rtr/index.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { parsePrefix } from '../../src/kernel/prefix.ts'
import { judgeConsent } from '../../src/transit/downstreams/consent.ts'
import { createAsSets } from '../../src/transit/prefixes/checks/as-sets.ts'
import { startIrr } from './irr.ts'
import { startRdap } from './rdap.ts'
import { startRtr } from './rtr.ts'
import { startPeeringDb, startRpkiExport } from './web.ts'

const file = (name: string) => join(import.meta.dirname, '../data', name)
const sources = {
  rtr: await startRtr({ file: file('vrps.json') }),
  irr: await startIrr({ file: file('irr.rpsl') }),
  rdap: await startRdap({ file: file('rdap.json') }),
  rpki: await startRpkiExport({ file: file('vrps.json') }),
  peeringDb: await startPeeringDb({ file: file('peeringdb.json') }),
}
const rpki = createRtrSource({ host: '127.0.0.1', port: sources.rtr.port })
const irr = createIrrd({ host: '127.0.0.1', port: sources.irr.port, sources: ['RIPE', 'RADB'] })
const registry = createRdap({ base: `http://127.0.0.1:${sources.rdap.port}/` })

const aspas = createJsonSource({ location: `http://127.0.0.1:${sources.rpki.port}/json` })
const networks = createPeeringDbNetworks({ base: `http://127.0.0.1:${sources.peeringDb.port}/` })

beforeAll(() => vi.waitFor(() => expect(rpki.report().state).toBe('current'), { timeout: 10_000 }))
afterAll(async () => {
  await Promise.all([rpki.close(), aspas.close(), irr.close(), registry.close()])
  await Promise.all(Object.values(sources).map((source) => source.close()))
})

it.each([
  ['45.30.10.0/24', 500_010, 'VALID', null, true],
  ['2d10:10::/32', 500_010, 'VALID', null, true],
  ['45.30.11.0/24', 500_011, 'VALID', null, true],
  ['45.30.12.0/24', 500_010, 'INVALID', 'LENGTH', true],
  ['45.30.13.0/24', 500_010, 'INVALID', 'LENGTH', true],
  ['45.30.14.0/24', 500_010, 'NOT_FOUND', null, false],
  ['45.30.15.0/24', 500_010, 'INVALID', 'AS', false],
  ['45.30.20.0/24', 500_020, 'VALID', null, true],
  ['2d10:20::/32', 500_020, 'VALID', null, true],
])(
  '%s from AS%i is %s (%s) in RPKI, and its standing in the IRR is %s',
  async (text, origin, status, reason, registered) => {
    expect(rpki.validate(parsePrefix(text), origin)).toMatchObject({ status, reason })
    const objects = await irr.routeObjects(parsePrefix(text))
    expect(objects.some((object) => object.origin === origin)).toBe(registered)
  },
)

it("Kestrel's set holds Kestrel and its customer", async () => {
  expect(await irr.expandAsSet('AS-KESTREL')).toMatchObject({
    object: { maintainers: ['KESTREL-MNT'] },
    members: [{ asn: 500_010 }, { asn: 500_011 }],
  })
})

it('Kestrel has its set and the agreement of its customer; no one else has theirs', async () => {
  await vi.waitFor(() => expect(aspas.report().state).toBe('current'), { timeout: 10_000 })
  const asSets = createAsSets({ irr, networks, clock: systemClock, sharedMaintainers: [] })
  const judged = async (customerAsn: number, name: string, origin: number) => {
    const answer = await asSets.expand(name)
    if (answer.status !== 'VALID') return answer.status
    const { status: ownership, how } = await asSets.ownership(customerAsn, answer.set.object)
    const autNums = await asSets.autNums(origin)
    const consent = (aspa: ReturnType<typeof aspas.aspa>) =>
      judgeConsent({
        customerAsn,
        origin,
        aspa,
        autNums,
        set: answer.set.object,
        ownership,
        mailUntil: null,
        before: null,
      })
    const [signed, registered] = [consent(aspas.aspa(origin)), consent({ status: 'UNKNOWN' })]
    return [how ?? ownership, signed.how ?? signed.status, registered.how ?? registered.status]
  }
  expect(await judged(500_010, 'AS-KESTREL', 500_011)).toEqual(['MAINTAINER', 'ASPA', 'MEMBER_OF'])
  expect(await judged(500_010, 'AS500010:AS-CUSTOMERS', 500_011)).toEqual(['HIERARCHICAL', 'ASPA', 'POLICY'])
  expect(await judged(500_010, 'AS-PLOVER', 500_020)).toEqual(['NOT_OWN', 'REFUSED', 'NONE'])
  expect(await judged(500_010, 'AS500010:AS-SQUATTED', 500_020)).toEqual(['NOT_OWN', 'REFUSED', 'NONE'])
  expect(await judged(500_033, 'AS-PLOVER', 500_020)).toEqual(['NOT_OWN', 'REFUSED', 'NONE'])
})

describe.each(Array.from({ length: 10 }, (_, at) => at))('AS50003%i, free for anyone', (at) => {
  const asn = 500_030 + at

  it('has space that is valid in RPKI and in the IRR', async () => {
    for (const text of [`45.30.${30 + at}.0/24`, `2d10:${30 + at}::/32`]) {
      expect(rpki.validate(parsePrefix(text), asn).status).toBe('VALID')
      expect(await irr.routeObjects(parsePrefix(text))).toContainEqual({ prefix: text, origin: asn, source: 'RIPE' })
    }
  })

  it('has a holder with contacts, and a set of its own', async () => {
    const record = await registry.autnum(asn)
    expect(record?.contacts.map((contact) => contact.email)).toContain(`noc@as${asn}.example`)
    const word = record!.holder!.split(' ')[0]!
    const set = await irr.expandAsSet(`AS-${word}`)
    expect(set).toMatchObject({ members: [{ asn }] })
    const [autNum] = await irr.autNums(asn)
    expect(set).toMatchObject({ object: { maintainers: autNum!.maintainers } })
  })
})

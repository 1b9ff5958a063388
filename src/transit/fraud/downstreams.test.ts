/** Attacks with other networks' AS-SETs and ASNs. Each prefix has a valid ROA and a true route object, as in the hijack of 2022. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { AutNumObject, ExpandedAsSet } from '../../drivers/irr/index.ts'
import { setOf } from '../testing-sources.ts'
import { createFraudTestApp } from './testing.ts'

const fraud = await createFraudTestApp(55)
const { call, irr, rpki, view, approve, run } = fraud
afterAll(() => fraud.close())

// Different for each case, because registry answers are cached by name.
let [THIEF, VICTIM, thief] = [0, 0, 0]
beforeEach(async () => {
  ;[THIEF, VICTIM] = [fraud.nextAsn(), fraud.nextAsn()]
  thief = await fraud.addUser({ asn: THIEF })
  irr.asSets.clear()
  irr.peeringDb.clear()
  rpki.aspas = new Map()
  irr.autNumObjects = [
    autNum(THIEF, { maintainers: ['THIEF-MNT', 'RIPE-NCC-END-MNT'] }),
    autNum(VICTIM, { providers: [THIEF] }),
  ]
})

const autNum = (asn: number, part: Partial<AutNumObject> = {}): AutNumObject => ({
  asn,
  source: 'RIPE',
  maintainers: ['VICTIM-MNT'],
  memberOf: [],
  providers: [500_001],
  ...part,
})
const own = (): string => `AS${THIEF}:AS-CUSTOMERS`
/** A name that is below no ASN. */
const loose = (): string => `AS-X${VICTIM}`
const put = (name: string, object: Partial<ExpandedAsSet['object']> = {}, members: number[] = [VICTIM]): string => {
  irr.asSets.set(name, setOf(name, members, object))
  return name
}
/** A set of the thief's own that lists the victim, with what the victim's aut-num says. */
const owned = (said: Partial<AutNumObject>, object: Partial<ExpandedAsSet['object']> = {}): string => {
  irr.autNumObjects = [irr.autNumObjects[0]!, autNum(VICTIM, said)]
  return put(own(), object)
}

async function attack(asSet: string) {
  const value = fraud.nextValue()
  rpki.vrps = [{ prefix: value, maxLength: 24, asn: VICTIM }]
  irr.objects = [{ prefix: value, origin: VICTIM, source: 'RIPE' }]
  expect((await call(thief, 'PUT', '/api/transit_connection', { asSet })).status).toBe(200)
  const body = { value, announcementType: 'DOWNSTREAM', originAsn: VICTIM }
  const dryRun = await call(thief, 'POST', '/api/transit_prefixes/check', {
    values: [value],
    announcementType: 'DOWNSTREAM',
    originAsn: VICTIM,
  })
  const { body: made } = await call(thief, 'POST', '/api/transit_prefixes', body)
  await run('check', made.id)
  return { id: made.id as number, dryRun: dryRun.body[0] }
}

describe('the prefix of a victim is not opened by', () => {
  const sets: readonly (readonly [string, () => string])[] = [
    ['the set of the victim', () => put(`AS-VICTIM${VICTIM}`, { maintainers: ['VICTIM-MNT'] })],
    ['the set below the ASN of the victim', () => put(`AS${VICTIM}:AS-ALL`)],
    ['a set with the own ASN in the middle of its name', () => put(`AS-VICTIM:AS${THIEF}:AS-X`)],
    ['a set below an ASN that begins alike', () => put(`AS${THIEF}0:AS-X`)],
    ['a set below the own ASN with a zero in front', () => put(`AS0${THIEF}:AS-X`)],
    ['a set below the own ASN where anybody may write', () => put(`RADB::${own()}`)],
    [
      'a set with the own maintainer where anybody may write',
      () => put(`RADB::${loose()}`, { maintainers: ['THIEF-MNT'] }),
    ],
    [
      'a set with a maintainer of the same name in another registry',
      () => put(`ARIN::${loose()}`, { maintainers: ['THIEF-MNT'] }),
    ],
    ['a set that has the registry’s own maintainer', () => put(loose(), { maintainers: ['RIPE-NCC-END-MNT'] })],
    ['a set without a maintainer', () => put(loose(), { maintainers: [] })],
    ['a set that the victim names in PeeringDB', () => (irr.peeringDb.set(VICTIM, loose()), put(loose()))],
    [
      'a set that PeeringDB names under another registry',
      () => (irr.peeringDb.set(THIEF, `RADB::${loose()}`), put(loose())),
    ],
    [
      'a set whose name begins like the one in PeeringDB',
      () => (irr.peeringDb.set(THIEF, loose()), put(`${loose()}-2`)),
    ],
    ['a set that does not exist', () => 'AS-NOBODY'],
    ['a set of its own without the victim', () => put(own(), {}, [THIEF])],
    ['a set of its own that is empty', () => put(own(), {}, [])],
    ['a set of its own that lists the victim, who said nothing', () => owned({})],
    [
      'a name that two registries have',
      () => (irr.asSets.set(loose(), { kind: 'ambiguous', sources: ['RIPE', 'ARIN'] } as never), loose()),
    ],
  ]
  const said: readonly (readonly [string, () => string])[] = [
    ['a victim that names others', () => owned({ providers: [500_001, 500_002] })],
    ['a victim that joined, where the set lets nobody in', () => owned({ memberOf: [own()] })],
    ['a set that lets anybody in, where the victim did not join', () => owned({}, { membersByRef: ['ANY'] })],
    ['a set that lets another maintainer in', () => owned({ memberOf: [own()] }, { membersByRef: ['OTHER-MNT'] })],
    ['a victim that joined another set', () => owned({ memberOf: ['AS-OTHER'] }, { membersByRef: ['ANY'] })],
    ['an object of the victim where anybody may write', () => owned({ source: 'RADB', providers: [THIEF] })],
    [
      'an object of the victim in the unchecked part of a registry',
      () => owned({ source: 'RIPE-NONAUTH', providers: [THIEF] }),
    ],
    ['an object of another ASN', () => owned({ asn: VICTIM + 1, providers: [THIEF] })],
    [
      'a victim that joined in another registry',
      () => owned({ source: 'ARIN', memberOf: [own()] }, { membersByRef: ['ANY'] }),
    ],
    [
      'a victim that joined a set that is not the customer’s',
      () => {
        owned({ memberOf: [`AS-VICTIM${VICTIM}`] })
        return put(`AS-VICTIM${VICTIM}`, { membersByRef: ['ANY'] })
      },
    ],
  ]
  const refused = async (arrange: () => string) => {
    const { id, dryRun } = await attack(arrange())
    expect(dryRun.acceptable).toBe(false)
    expect(dryRun.problems.length).toBeGreaterThan(0)
    const seen = await view(id)
    expect(seen.status).not.toBe('APPROVED')
    expect(seen).toMatchObject({ proven: false })
    expect((await approve(id)).status).toBeGreaterThanOrEqual(409)
    expect(await fraud.prefix(id)).not.toMatchObject({ status: 'APPROVED' })
    return dryRun
  }
  // The victim agrees in all but one of these, so only the set stops them.
  test.each(sets)('%s', async (name, arrange) => {
    const { downstream } = await refused(arrange)
    if (!name.includes('of its own')) expect(downstream?.set.ownership ?? 'NOT_OWN').toBe('NOT_OWN')
  })

  test.each(said)('%s', async (_, arrange) => {
    expect((await refused(arrange)).downstream.consent).toMatchObject({ status: 'NONE', how: null })
  })

  const signed: readonly (readonly [string, readonly number[]])[] = [
    ['names others', [500_001]],
    ['names nobody', []],
    ['names an ASN that begins alike', [THIEF * 10]],
    ['names itself', [VICTIM]],
  ]
  test.each(signed)('any reason of staff once its ASPA %s', async (_, providers) => {
    rpki.aspas = new Map([[VICTIM, [...providers]]])
    const { id } = await attack(owned({ providers: [THIEF], memberOf: [own()] }, { membersByRef: ['ANY'] }))
    const answer = await approve(id, { reason: 'They called us.' })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toContain(`The ASPA of AS${VICTIM}`)
  })
})

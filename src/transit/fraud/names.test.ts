/** AS-SETs, prefixes and ASNs that belong to somebody else or to nobody, or only look like the customer's own. Each is rejected at once. */
import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFraudTestApp } from './testing.ts'

const fraud = await createFraudTestApp(53)
const { call, db } = fraud
afterAll(() => fraud.close())

const VICTIM_ASN = 2_900_001
let thief = 0
beforeAll(async () => {
  thief = await fraud.addUser({ asn: fraud.nextAsn() })
  const victim = await fraud.addUser({ asn: VICTIM_ASN })
  for (const value of ['45.153.0.0/22', '2a0e:53::/32']) {
    const id = await (
      await call(victim, 'POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    ).body.id
    await db.updateTable('transit_prefixes').set({ status: 'APPROVED' }).where('id', '=', id).execute()
  }
})

describe('an AS-SET is refused', () => {
  test.each([
    ['of a registry that the operator does not use', 'ALTDB::AS-PLOVER'],
    ['of another one', 'NTTCOM::AS-PLOVER'],
    ['of the unchecked part of a registry', 'RIPE-NONAUTH::AS-PLOVER'],
    ['of that part in small letters', 'ripe-nonauth::as-plover'],
    ['of the unchecked part of another registry', 'ARIN-NONAUTH::AS-PLOVER'],
    ['of a registry whose name begins alike', 'RIPE2::AS-PLOVER'],
    ['of a registry whose name ends alike', 'XRIPE::AS-PLOVER'],
    ['of the pseudo-source of RPKI', 'RPKI::AS-PLOVER'],
    ['of two registries', 'RIPE::RADB::AS-PLOVER'],
    ['of a registry without a name', '::AS-PLOVER'],
    ['of a registry without a set', 'RIPE::'],
    ['with one colon behind the registry', 'RIPE:AS-PLOVER'],
    ['with three colons behind the registry', 'RIPE:::AS-PLOVER'],
    ['with a blank behind the registry', 'RIPE:: AS-PLOVER'],
    ['with a registry behind it', 'AS-PLOVER::RIPE'],
    ['with two sets by comma', 'AS-KESTREL,AS-PLOVER'],
    ['with two sets by semicolon', 'AS-KESTREL;AS-PLOVER'],
    ['with two sets by blank', 'AS-KESTREL AS-PLOVER'],
    ['with a command of the registry server behind it', 'AS-KESTREL\n!s-*'],
    ['with a carriage return and a command', 'AS-KESTREL\r\n!!'],
    ['with a NUL', 'AS-KESTREL\0'],
    ['that is a command', '!iAS-KESTREL,1'],
    ['with the depth of a query', 'AS-KESTREL,1'],
    ['with options of a whois client', '-K AS-KESTREL'],
    ['with a Cyrillic A', '\u0410S-KESTREL'],
    ['with a Cyrillic S', 'A\u0405-KESTREL'],
    ['with a Greek O', 'AS-PL\u039FVER'],
    ['with a dash that only looks like one', 'AS\u2010KESTREL'],
    ['in full-width letters', '\uFF21\uFF33-KESTREL'],
    ['with a zero-width space', 'AS-KESTREL\u200b'],
    ['written from right to left', '\u202eAS-KESTREL'],
    ['with a letter that becomes an I in capitals', 'AS-k\u0131te'],
    ['with a letter that becomes an S in capitals', 'A\u017f-KESTREL'],
    ['with the sign of Kelvin', 'AS-\u212AESTREL'],
    ['that is an ASN', 'AS500020'],
    ['that is a route set', 'RS-PLOVER'],
    ['with a route set below it', 'AS-KESTREL:RS-PLOVER'],
    ['without a name', 'AS-'],
    ['with an empty part', 'AS500010::AS-X'],
    ['with an ASN of eleven digits', 'AS50001000000:AS-X'],
    ['that is empty', ''],
    ['that is blank', '   '],
    ['with SQL', "AS-X'; drop table users; --"],
    ['that is an address', 'https://rr.example/AS-X'],
    ['that is longer than any', `AS-${'X'.repeat(200)}`],
  ])('%s', async (_, asSet) => {
    expect((await call(thief, 'PUT', '/api/transit_connection', { asSet })).status).toBe(422)
    expect((await call(thief, 'GET', '/api/transit_connection')).body.asSet).toBeNull()
  })
})

describe('a prefix is refused', () => {
  test.each([
    ['that another customer has', '45.153.0.0/22'],
    ['inside that of another customer', '45.153.3.0/24'],
    ['that is half of it', '45.153.2.0/23'],
    ['around it', '45.153.0.0/21'],
    ['around it with much else', '45.152.0.0/15'],
    ['inside an IPv6 prefix of another customer', '2a0e:53:1::/48'],
    ['that another customer has, in capitals', '2A0E:53::/32'],
    ['that another customer has, written out', '2a0e:0053:0000:0000:0000:0000:0000:0000/32'],
    ['around an IPv6 prefix of another customer', '2a0e:52::/31'],
    ['with leading zeros', '045.153.0.0/22'],
    ['in octal', '055.0231.0.0/22'],
    ['in hexadecimal', '0x2d.0x99.0.0/22'],
    ['as one number', '764870656/22'],
    ['in three parts', '45.153.0/22'],
    ['inside IPv6', '::ffff:45.153.0.0/118'],
    ['by the prefix of 6to4', '2002:2d99::/32'],
    ['by the prefix of NAT64', '64:ff9b::2d99:0/118'],
    ['in full-width digits', '\uFF14\uFF15.153.0.0/22'],
    ['in Arabic digits', '\u0664\u0665.153.0.0/22'],
    ['with a full stop that only looks like one', '45\u3002153.0.0/22'],
    ['with a slash that only looks like one', '45.153.0.0\u221522'],
    ['with a length that has a zero in front', '45.154.0.0/022'],
    ['with a length that has a plus', '45.154.0.0/+22'],
    ['with a negative length', '45.154.0.0/-22'],
    ['with a fraction as its length', '45.154.0.0/22.0'],
    ['with a length in exponent form', '45.154.0.0/2e1'],
    ['with a mask', '45.154.0.0/255.255.252.0'],
    ['with two lengths', '45.154.0.0/22/24'],
    ['without a length', '45.154.0.0'],
    ['with a length beyond its family', '45.154.0.0/33'],
    ['with host bits', '45.154.0.1/24'],
    ['with host bits in IPv6', '2a0e:54::1/48'],
    ['with a zone', 'fe80::1%eth0/64'],
    ['in brackets', '[2a0e:54::]/32'],
    ['with two, by comma', '45.154.0.0/24,45.153.0.0/24'],
    ['with two, by line', '45.154.0.0/24\n45.153.0.0/24'],
    ['with a NUL', '45.154.0.0/24\0'],
    ['with SQL', "45.154.0.0/24'; drop table users; --"],
    ['with a filter of BIRD', '45.154.0.0/24{8,32}'],
    ['with the end of a filter of BIRD', '45.154.0.0/24 ]; accept; #'],
    ['of everything', '0.0.0.0/0'],
    ['of everything in IPv6', '::/0'],
    ['of half of everything', '0.0.0.0/1'],
    ['of one address', '45.154.0.1/32'],
    ['longer than networks take', '45.154.0.0/25'],
    ['longer than networks take in IPv6', '2a0e:54::/49'],
    ['larger than the operator lets customers ask for', '45.154.0.0/15'],
    ['larger than that in IPv6', '2a0e::/28'],
    ['for private use', '10.0.0.0/24'],
    ['for private use by an office', '192.168.1.0/24'],
    ['for private use by a company', '172.16.0.0/24'],
    ['for carriers', '100.64.0.0/24'],
    ['of the machine itself', '127.0.0.0/24'],
    ['of a link', '169.254.0.0/24'],
    ['for documentation', '192.0.2.0/24'],
    ['for benchmarks', '198.18.0.0/24'],
    ['of multicast', '224.0.0.0/24'],
    ['of the future', '240.0.0.0/24'],
    ['of IPv6 for private use', 'fd00::/48'],
    ['of IPv6 links', 'fe80::/48'],
    ['of IPv6 multicast', 'ff00::/48'],
    ['of IPv6 for documentation', '2001:db8::/48'],
    ['of IPv6 that nobody has', '4000::/48'],
  ])('%s', async (_, value) => {
    const before = await db.selectFrom('transit_prefixes').select('id').execute()
    const answer = await call(thief, 'POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    expect(answer.status).toBe(422)
    expect(await db.selectFrom('transit_prefixes').select('id').execute()).toHaveLength(before.length)
  })
})

const ASNS: readonly (readonly [string, unknown])[] = [
  ['AS0', 0],
  ['the placeholder of 16-bit routers', 23_456],
  ['the first for documentation', 64_496],
  ['the last for documentation', 64_511],
  ['the first for private use', 64_512],
  ['the last for private use', 65_534],
  ['the last of 16 bits', 65_535],
  ['the first of 32 bits for documentation', 65_536],
  ['one that nobody has been given', 131_071],
  ['the first of 32 bits for private use', 4_200_000_000],
  ['the last of 32 bits for private use', 4_294_967_294],
  ['the last of 32 bits', 4_294_967_295],
  ['one beyond 32 bits', 4_294_967_296],
  ['one that wraps to that of a victim', VICTIM_ASN + 2 ** 32],
  ['a negative one', -1],
  ['a fraction', 500_020.5],
  ['a text', '500020'],
  ['one in asdot', '7.41268'],
  ['a list', [500_020]],
]
describe('as an origin is refused', () => {
  beforeAll(() =>
    db
      .updateTable('transit_connections')
      .set({ as_set: 'AS-X' })
      .where('account_id', '=', accountIdOf(thief))
      .execute(),
  )
  test.each(ASNS)('%s', async (_, originAsn) => {
    const body = { value: '45.155.0.0/24', announcementType: 'DOWNSTREAM', originAsn }
    expect((await call(thief, 'POST', '/api/transit_prefixes', body)).status).toBe(422)
  })
})
describe('as one’s own ASN is refused', () => {
  test.each([...ASNS, ['that of another customer', VICTIM_ASN] as const, ['that of the operator', 500_000] as const])(
    '%s',
    async (_, asn) => {
      expect([409, 422]).toContain((await call(thief, 'PUT', '/api/transit_connection', { asn })).status)
    },
  )
})

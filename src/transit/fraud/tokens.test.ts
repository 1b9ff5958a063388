/** Tokens in reverse DNS and in the registry that are foreign, old, altered or in the wrong place. None of them proves anything. */
import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { DnsError } from '../../drivers/dns/index.ts'
import { createFraudTestApp } from './testing.ts'

const fraud = await createFraudTestApp(52)
const { dns, registry, view, run } = fraud
afterAll(() => fraud.close())
const victim = await fraud.request()
beforeEach(() => dns.zones.clear())

type Request = typeof victim
const zoneOf = ({ names }: Request): string => names[0]!.replace(/^[^.]+\./, '')
const put = (name: string, ...records: string[]): unknown => dns.zones.set(name, { records, dnssec: 'SECURE' })

describe('reverse DNS proves nothing with', () => {
  const wrong: readonly (readonly [string, (one: Request) => unknown])[] = [
    ['the token of another customer', ({ names }) => put(names[0]!, victim.token)],
    [
      'the tokens of many customers at once',
      ({ names }) =>
        put(
          names[0]!,
          ...Array.from({ length: 20 }, (_, at) => `longhaul-verify=${at.toString(16).padStart(30, '0')}`),
        ),
    ],
    ['the token at the zone itself', (one) => put(zoneOf(one), one.token)],
    ['the token one label too deep', (one) => put(`x.${one.names[0]}`, one.token)],
    ['the token at the parent zone', (one) => put(one.names[0]!.replace(/\.\d+\./, '.'), one.token)],
    ['the token at the name of one address', (one) => put(`1.${zoneOf(one)}`, one.token)],
    ['the token below the name of one address', (one) => put(`_longhaul-challenge.1.${zoneOf(one)}`, one.token)],
    ['the token at a delegated part of the zone', (one) => put(`_longhaul-challenge.0/29.${zoneOf(one)}`, one.token)],
    [
      'the token of the customer at the zone of the neighbour',
      (one) =>
        put(
          one.names[0]!.replace(/(?<=\.)\d+(?=\.)/, (octet) => String(Number(octet) + 100)),
          one.token,
        ),
    ],
    [
      'the token under the label of another product',
      (one) => put(one.names[0]!.replace('longhaul', 'shorthaul'), one.token),
    ],
    ['the token without its last character', ({ names, token }) => put(names[0]!, token.slice(0, -1))],
    ['the token with a character more', ({ names, token }) => put(names[0]!, `${token}0`)],
    ['the token inside a sentence', ({ names, token }) => put(names[0]!, `our token is ${token}`)],
    ['the token in quotes', ({ names, token }) => put(names[0]!, `"${token}"`)],
    [
      'the value of the token without its name',
      ({ names, token }) => put(names[0]!, token.replace('longhaul-verify=', '')),
    ],
    ['the name of the token without its value', ({ names }) => put(names[0]!, 'longhaul-verify=')],
    ['a pattern in place of the value', ({ names }) => put(names[0]!, 'longhaul-verify=*')],
    [
      'the token in two records of one half each',
      ({ names, token }) => put(names[0]!, token.slice(0, 20), token.slice(20)),
    ],
    ['the token with a zero-width space in it', ({ names, token }) => put(names[0]!, token.replace('=', '\u200b='))],
    ['the token with a Cyrillic letter in it', ({ names, token }) => put(names[0]!, token.replace('a', '\u0430'))],
    [
      'an alias to a zone that has the token',
      ({ names, token }) =>
        dns.zones.set(names[0]!, { records: [], alias: true, dnssec: token ? 'SECURE' : 'INSECURE' }),
    ],
    ['a wrong signature over the token', ({ names }) => dns.zones.set(names[0]!, new DnsError('bogus', 'bogus'))],
    ['silence', ({ names }) => dns.zones.set(names[0]!, new DnsError('timeout', 'late'))],
  ]
  test.each(wrong)('%s', async (_, publish) => {
    const one = await fraud.request()
    publish(one)
    await run('dns', one.id)
    expect(await view(one.id)).toMatchObject({ evidence: [], proven: false })
  })

  test('the token of a request of the same customer for another prefix', async () => {
    const one = await fraud.request()
    const id = await fraud.requestMore(one.userId)
    put((await view(id)).reverseDns.records[0].name, one.token)
    await run('dns', id)
    expect((await view(id)).evidence).toEqual([])
  })

  test('the token that the former holder left behind', async () => {
    const one = await fraud.request()
    registry.networks.set(one.value, fraud.network())
    await run('registration', one.id)
    registry.networks.set(one.value, fraud.network({ registrants: ['ORG-NEW'] }))
    await run('registration', one.id)
    put(one.names[0]!, one.token)
    await run('dns', one.id)
    expect((await view(one.id)).evidence).toEqual([])
  })

  test.each([0, 1, 2, 3])('the token missing in zone %i of four', async (missing) => {
    const one = await fraud.request(`45.152.${missing * 4}.0/22`)
    one.names.forEach((name, at) => at !== missing && put(name, one.token))
    await run('dns', one.id)
    expect((await view(one.id)).evidence).toEqual([])
  })

  test('one look at an unsigned zone', async () => {
    const one = await fraud.request()
    dns.zones.set(one.names[0]!, { records: [one.token], dnssec: 'UNCHECKED' })
    await run('dns', one.id)
    expect(await view(one.id)).toMatchObject({ proven: false, evidence: [{ strength: 'weak' }] })
    expect((await fraud.approve(one.id)).status).toBe(422)
  })
})

describe('the registry proves nothing with', () => {
  const wrong: readonly (readonly [string, (one: Request) => Parameters<typeof fraud.network>[0]])[] = [
    ['the token of another customer', () => ({ remarks: [victim.token] })],
    ['the token with a character less', ({ token }) => ({ remarks: [token.slice(0, -1)] })],
    ['the token with a character more', ({ token }) => ({ remarks: [`${token}0`] })],
    ['the token glued to another word', ({ token }) => ({ remarks: [`x${token}`] })],
    ['the token across two lines', ({ token }) => ({ remarks: [token.slice(0, 25), token.slice(25)] })],
    ['the token in a block of the registry itself', ({ token }) => ({ remarks: [token], isPlaceholder: true })],
    ['the token in the name of the block', ({ token }) => ({ name: token })],
    ['the token as the holder', ({ token }) => ({ holder: token })],
    ['the token as a handle', ({ token }) => ({ handle: token })],
    [
      'the token as a contact',
      ({ token }) => ({ contacts: [{ email: `${token}@x.example`, roles: [token], source: token }] }),
    ],
    [
      'a company of the same name as the holder of the ASN',
      () => ({ holder: 'Whimbrel Ltd', registrants: ['ORG-OTHER'] }),
    ],
    ['a holder whose name only looks the same', () => ({ holder: 'Whimbrel \u041Ctd', registrants: [] })],
    ['the same handle in another registry', () => ({ registry: 'elsewhere.test', registrants: ['ORG-THIEF'] })],
    [
      'a block that the registry keeps, under the handle of the customer',
      () => ({ isPlaceholder: true, registrants: ['ORG-THIEF'] }),
    ],
    [
      'a contact that nobody has asked',
      () => ({ contacts: [{ email: 'thief@whimbrel.example', roles: ['registrant'], source: 'T' }] }),
    ],
  ]
  test.each(wrong)('%s', async (_, found) => {
    const one = await fraud.request()
    registry.autnums.set(one.asn, ['ORG-THIEF'])
    registry.networks.set(one.value, fraud.network(found(one)))
    await run('registration', one.id)
    expect(await view(one.id)).toMatchObject({ evidence: [], proven: false })
  })

  test('the holder of an ASN that no one has verified', async () => {
    const one = await fraud.request()
    await fraud.db
      .updateTable('asn_ownerships')
      .set({ verified_at: null })
      .where('account_id', '=', accountIdOf(one.userId))
      .execute()
    registry.autnums.set(one.asn, ['ORG-HERON'])
    registry.networks.set(one.value, fraud.network())
    await run('registration', one.id)
    expect((await view(one.id)).evidence).toEqual([])
  })
})

/** Forged, altered, stolen and stale links to registry contacts. None of them works. */
import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowToken } from '../../platform/row-token.ts'
import { subjectOfLink } from '../contact-links/link.ts'
import { createFraudTestApp } from './testing.ts'

const fraud = await createFraudTestApp(51)
const { db, deps, follow, view, registry } = fraud
afterAll(() => fraud.close())

let one: Awaited<ReturnType<typeof fraud.linked>>
let other: Awaited<ReturnType<typeof fraud.linked>>
let [id, mac, row] = ['', '', undefined as never as Awaited<ReturnType<typeof readLink>>]
const readLink = (link: number) =>
  db.selectFrom('prefix_contact_links').selectAll().where('id', '=', link).executeTakeFirstOrThrow()
beforeAll(async () => {
  one = await fraud.linked()
  other = await fraud.linked()
  id = one.token.slice(0, one.token.indexOf('-'))
  mac = one.token.slice(id.length + 1)
  row = await readLink(one.link)
})
const flipped = (at: number): string => mac.slice(0, at) + (mac[at] === 'A' ? 'B' : 'A') + mac.slice(at + 1)
const signed = (change: object): string => rowToken(deps.secretKey, subjectOfLink({ ...row, ...change }))
const signedFor = (purpose: string): string => rowToken(deps.secretKey, { ...subjectOfLink(row), purpose })

describe('a link is refused', () => {
  const bent: readonly (readonly [string, () => unknown])[] = [
    ['that is empty', () => ''],
    ['that is a number in JSON', () => Number(id)],
    ['that is null', () => null],
    ['that is a list with the real one in it', () => [one.token]],
    ['that is an object', () => ({ token: one.token })],
    ['that is true', () => true],
    ['of an id alone', () => id],
    ['of an id and a dash', () => `${id}-`],
    ['of a signature alone', () => mac],
    ['of zeros in place of the signature', () => `${id}-${'A'.repeat(43)}`],
    ['whose signature is short by one', () => `${id}-${mac.slice(0, -1)}`],
    ['whose signature is longer by one', () => `${id}-${mac}A`],
    ['whose signature is reversed', () => `${id}-${Array.from(mac).toReversed().join('')}`],
    ['whose signature is in capitals', () => `${id}-${mac.toUpperCase()}`],
    ['whose signature is in small letters', () => `${id}-${mac.toLowerCase()}`],
    ['whose signature is padded', () => `${id}-${mac}=`],
    ['whose signature is doubled', () => `${id}-${mac}${mac}`],
    ['with the id of another request', () => `${other.token.split('-')[0]}-${mac}`],
    ['with the signature of another request', () => `${id}-${other.token.slice(other.token.indexOf('-') + 1)}`],
    ['whose id begins with a zero', () => `0${one.token}`],
    ['whose id is negative', () => `-${one.token}`],
    ['whose id has a plus', () => `+${one.token}`],
    ['whose id is hexadecimal', () => `0x${Number(id).toString(16)}-${mac}`],
    [
      'whose id is in full-width digits',
      () =>
        `${Array.from(id)
          .map((digit) => String.fromCodePoint(0xff10 + Number(digit)))
          .join('')}-${mac}`,
    ],
    ['whose id is a fraction', () => `${id}.0-${mac}`],
    ['whose id is in exponent form', () => `${id}e0-${mac}`],
    ['whose id is beyond 32 bits and wraps to the real one', () => `${Number(id) + 2 ** 32}-${mac}`],
    ['whose id is the largest that no row has', () => `2147483647-${mac}`],
    ['whose id is zero', () => `0-${mac}`],
    ['with a blank in front', () => ` ${one.token}`],
    ['with a blank behind', () => `${one.token} `],
    ['with a line feed behind', () => `${one.token}\n`],
    ['with a NUL behind', () => `${one.token}\0`],
    ['with two dashes', () => `${id}--${mac}`],
    ['with an encoded dash', () => `${id}%2D${mac}`],
    ['with a dash that only looks like one', () => `${id}\u2010${mac}`],
    ['with SQL behind the id', () => `${id}' or '1'='1-${mac}`],
    ['that is a whole address', () => `https://portal.example.net/verify/prefix?token=${one.token}`],
    ['that is longer than any', () => one.token.repeat(5)],
    ['that is the token of reverse DNS', () => `longhaul-verify=${'0'.repeat(30)}`],
    ['that is signed under another key', () => rowToken('another installation, another key', subjectOfLink(row))],
    ['that is signed to prove an ASN', () => signedFor('asn verification')],
    ['that is signed as a link for staff', () => signedFor('asn verification by staff')],
    ['that is signed as a token of a prefix', () => signedFor('prefix token')],
    ['that is signed for no purpose', () => signedFor('')],
    ['that is signed for another prefix', () => signed({ prefix_id: row.prefix_id + 1 })],
    ['that is signed for the downstream', () => signed({ purpose: 'DOWNSTREAM', origin_asn: 500_020 })],
    ['that is signed for another customer ASN', () => signed({ customer_asn: row.customer_asn + 1 })],
    ['that is signed for another holder', () => signed({ round: row.round + 1 })],
    ['that is signed for another contact', () => signed({ contact_email: 'thief@whimbrel.example' })],
    ...[0, 7, 21, 35, 42].map(
      (at) => [`whose signature differs in character ${at + 1} alone`, () => `${id}-${flipped(at)}`] as const,
    ),
  ]
  test.each(bent)('%s', async (_, token) => {
    const given = token()
    // Base64 of 32 bytes ends in two unused bits. Every spelling but the one that was mailed must be rejected too.
    expect(given).not.toBe(one.token)
    const { status } = await follow(given)
    expect([400, 422]).toContain(status)
    expect(await readLink(one.link)).toMatchObject({ confirmed_at: null })
  })

  type Linked = typeof one
  const stale: readonly (readonly [string, (linked: Linked) => Promise<unknown>])[] = [
    ['that was followed before', (linked) => follow(linked.token)],
    [
      'that is seven days old',
      ({ link }) =>
        db.updateTable('prefix_contact_links').set({ expires_at: new Date() }).where('id', '=', link).execute(),
    ],
    [
      'after which another was sent',
      (linked) => fraud.send(linked.id, { purpose: 'SPACE', email: 'noc@heron.example' }),
    ],
    [
      'of a request that was withdrawn',
      (linked) => fraud.call(linked.userId, 'DELETE', `/api/transit_prefixes/${linked.id}`),
    ],
    [
      'of a request that staff rejected',
      (linked) => fraud.call(fraud.staff, 'POST', `/api/admin/transit_prefixes/${linked.id}/reject`, { reason: 'No.' }),
    ],
    [
      'of a customer who has another ASN by now',
      (linked) =>
        db
          .updateTable('asn_ownerships')
          .set({ asn: fraud.nextAsn() })
          .where('account_id', '=', accountIdOf(linked.userId))
          .execute(),
    ],
    [
      'of a customer whose ASN is not verified any more',
      (linked) =>
        db
          .updateTable('asn_ownerships')
          .set({ verified_at: null })
          .where('account_id', '=', accountIdOf(linked.userId))
          .execute(),
    ],
    [
      'of addresses that have another holder by now',
      async (linked) => {
        await fraud.run('registration', linked.id)
        registry.networks.set(linked.value, fraud.network({ registrants: ['ORG-NEW'] }))
        await fraud.run('registration', linked.id)
      },
    ],
    [
      'whose row was moved to another request',
      ({ link }) =>
        db.updateTable('prefix_contact_links').set({ prefix_id: other.id }).where('id', '=', link).execute(),
    ],
    [
      'whose row was given another contact',
      ({ link }) =>
        db
          .updateTable('prefix_contact_links')
          .set({ contact_email: 'x@whimbrel.example' })
          .where('id', '=', link)
          .execute(),
    ],
    ['whose row is gone', ({ link }) => db.deleteFrom('prefix_contact_links').where('id', '=', link).execute()],
  ]
  test.each(stale)('%s', async (_, happen) => {
    const linked = await fraud.linked()
    await happen(linked)
    const before = (await view(linked.id)).evidence
    expect((await follow(linked.token)).status).toBe(422)
    expect((await view(linked.id)).evidence).toEqual(before)
  })

  test('staff of any role may not follow a link', async () => {
    for (const roles of [['owner'], ['network'], ['support'], ['billing']] as const) {
      const { token } = await fraud.linked()
      expect(await follow(token, await fraud.addUser({ roles }))).toMatchObject({ status: 403 })
    }
  })
})

test('a link that ten browsers follow in the same moment counts once', async () => {
  const { token, id: prefix } = await fraud.linked()
  const answers = await Promise.all(Array.from({ length: 10 }, () => follow(token)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 422),
  ])
  expect((await view(prefix)).evidence).toHaveLength(1)
})

test('of two links that staff send at once, at most one works', async () => {
  const linked = await fraud.linked()
  const send = () => fraud.send(linked.id, { purpose: 'SPACE', email: 'noc@heron.example' })
  await Promise.all([send(), send()])
  const states = (await view(linked.id)).contactLinks.map(({ state }: { state: string }) => state)
  expect(states.toSorted()).toEqual(['ENDED', 'ENDED', 'OPEN'])
})

const CHANGED = new Date('2023-04-05T00:00:00Z')
const AFTERWARDS = new Date('2024-01-02T00:00:00Z')
async function sendAfter(registered: Date | null) {
  const request = await fraud.request()
  registry.networks.set(request.value, { ...fraud.network(), changedAt: CHANGED })
  if (registered) registry.domains.set('heron.example', registered)
  const sent = await fraud.send(request.id, { purpose: 'SPACE', email: 'noc@heron.example' })
  registry.domains.delete('heron.example')
  return sent
}

test.each([
  ['is older than the registration', new Date('2011-01-02T00:00:00Z')],
  ['has no published date', null],
])('a link is sent to a contact whose domain %s', async (_, registered) => {
  expect((await sendAfter(registered)).status).toBe(201)
})

describe('a link is not sent to', () => {
  test('a contact of the block whose domain lapsed and was registered again', async () => {
    expect(await sendAfter(AFTERWARDS)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'email', message: expect.stringContaining('2024-01-02') }] },
    })
  })

  test('a contact of the downstream whose domain lapsed and was registered again', async () => {
    const MEMBER = 1_700_901
    registry.autnums.set(MEMBER, ['ORG-MEMBER'])
    registry.autnumContacts.set(MEMBER, [{ email: 'noc@lapsed.example', roles: ['technical'], source: 'NOC-L' }])
    registry.autnumChanges.set(MEMBER, CHANGED)
    registry.domains.set('lapsed.example', AFTERWARDS)
    const request = await fraud.request()
    await db
      .updateTable('transit_prefixes')
      .set({ announcement_type: 'DOWNSTREAM', requested_origin: MEMBER, origin_asn: MEMBER })
      .where('id', '=', request.id)
      .execute()
    const sent = await fraud.send(request.id, { purpose: 'DOWNSTREAM', email: 'noc@lapsed.example' })
    expect(sent).toMatchObject({ status: 422, body: { errors: [{ field: 'email' }] } })
  })

  test.each([
    ['an abuse desk', 'abuse@heron.example'],
    ['an abuse desk in capitals', 'ABUSE@HERON.EXAMPLE'],
    ['a stranger', 'thief@whimbrel.example'],
    ['a Cyrillic twin of the contact', 'n\u043Ec@heron.example'],
    ['a twin of its domain', 'noc@her\u043En.example'],
    ['a full-width twin', 'noc\uFF20heron.example'],
    ['a part of its domain', 'noc@mail.heron.example'],
    ['a domain that its own begins', 'noc@heron.example.whimbrel.example'],
    ['its domain with a dot behind', 'noc@heron.example.'],
    ['an address with a tag', 'noc+thief@heron.example'],
    ['two addresses', 'noc@heron.example,thief@whimbrel.example'],
    ['an address with a header behind it', 'noc@heron.example\r\nBcc: thief@whimbrel.example'],
    ['an address in brackets', '<noc@heron.example>'],
    ['an address with a name', 'Thief <noc@heron.example>'],
    ['a quoted address', '"noc@heron.example"@whimbrel.example'],
    ['an address with a soft hyphen', 'noc\u00ADc@heron.example'],
  ])('%s', async (_, email) => {
    const sent = await db.selectFrom('prefix_contact_links').select('id').execute()
    expect((await fraud.send(one.id, { purpose: 'SPACE', email })).status).toBe(422)
    expect(await db.selectFrom('prefix_contact_links').select('id').execute()).toHaveLength(sent.length)
  })
})

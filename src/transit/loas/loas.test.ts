import { accountIdOf } from '../../platform/db/testing.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { pagesOf } from '../../platform/pdf/testing.ts'
import { createTransitTestApp } from '../testing.ts'
import { loaPdf } from './loa-pdf.ts'
import { evidenceLines, paragraphsOf, proofSentence } from './text.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { app, call, db, deps } = testApp
afterAll(() => testApp.close())
const staff = await testApp.addUser({ isAdmin: true })

const SIGNATORY = { name: 'Ada Lovelace', title: 'Head of Network' }
let third = 0
let asn = 1_900_000

async function approved() {
  const value = `45.60.${++third}.0/24`
  const userId = await testApp.addUser({ asn: ++asn })
  await db
    .insertInto('asn_verifications')
    .values({
      account_id: accountIdOf(userId),
      asn,
      method: 'autnum_token',
      strength: 'high',
      created_at: new Date(),
      verified_at: new Date('2026-05-04T10:00:00Z'),
      valid_until: new Date(Date.now() + 86_400_000),
    } as never)
    .execute()
  const id = await testApp.request(userId, value)
  await db.updateTable('transit_prefixes').set({ status: 'APPROVED' }).where('id', '=', id).execute()
  return { id, userId, asn, value, path: `/api/transit_prefixes/${id}/loas` }
}
type Own = Awaited<ReturnType<typeof approved>>

const sign = async (one: Own, signatory: object = SIGNATORY, as = one.userId) => {
  const { body } = await call(one.userId, 'GET', `${one.path}/new`)
  return call(as, 'POST', one.path, { ...signatory, textDigest: body.textDigest })
}
const signed = async (one: Own) => (await sign(one)).body
/** Stores copies of the letter, as if it had been signed that often before. */
const copies = async (id: number, count: number) => {
  const { id: _, ...row } = await db.selectFrom('loas').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const lists = { paragraphs: JSON.stringify(row.paragraphs), evidence: JSON.stringify(row.evidence) }
  const values = Array.from({ length: count }, (_, n) => ({
    ...row,
    ...lists,
    pdf: Buffer.from('%PDF'),
    code: `copy ${id} ${n}`,
  }))
  await db.insertInto('loas').values(values).execute()
}
/** Each request comes from its own network, unless the test is about one network. */
let octet = 0
const verify = async (code: string, remoteAddress = `198.51.100.${++octet}`) => {
  const response = await app.inject({ url: `/api/loas/${code}`, remoteAddress })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}
const codeOf = ({ verifyUrl }: { verifyUrl: string }) => verifyUrl.split('/').at(-1)!
const file = (userId: number, url: string) => app.inject({ url, headers: { authorization: `Bearer user-${userId}` } })
const textOf = (pdf: Buffer) =>
  pagesOf(pdf)
    .flat()
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ')

describe('a letter of authorization', () => {
  test('is signed with the text that was read, and says who, what, for whom, until when and how that is known', async () => {
    const one = await approved()
    const draft = (await call(one.userId, 'GET', `${one.path}/new`)).body
    expect(draft.paragraphs[0]).toBe(
      `I authorize Example Carrier B.V. (AS500000) to accept ${one.value} with origin AS${one.asn}, and to announce it to its upstreams, its peers and the route servers of Internet exchanges.`,
    )
    const { status, body } = await sign(one)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      state: 'VALID',
      prefix: one.value,
      originAsn: one.asn,
      customerAsn: one.asn,
      proof: draft.proof,
      holder: null,
      operator: { name: 'Example Carrier B.V.', asn: 500_000 },
      signatory: SIGNATORY,
      revokedAt: null,
    })
    expect(body.verifyUrl).toMatch(/^https:\/\/portal\.example\.net\/loa\/[0-9a-f]{40}$/)
    const years = new Date(body.validUntil).getUTCFullYear() - new Date(body.signedAt).getUTCFullYear()
    expect(years).toBe(1)
    const pdf = await file(one.userId, `${one.path}/${body.id}.pdf`)
    expect(pdf.statusCode).toBe(200)
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect(pdf.headers['content-disposition']).toContain(`loa-45.60.${third}.0-24-${body.id}.pdf`)
    expect(createHash('sha256').update(pdf.rawPayload).digest('hex')).toBe(body.sha256)
    const text = textOf(pdf.rawPayload)
    for (const words of [
      ...draft.paragraphs,
      ...draft.evidence,
      draft.proof,
      SIGNATORY.name,
      SIGNATORY.title,
      body.verifyUrl,
      `proved control of AS${one.asn} by a remark in its registry object on 2026-05-04`,
      'did not check the name or the role',
    ])
      expect(text).toContain(words)
    expect((await call(one.userId, 'GET', one.path)).body).toEqual([body])
    const entry = await db
      .selectFrom('audit_events')
      .select('action')
      .where('account_id', '=', accountIdOf(one.userId))
      .execute()
    expect(entry.map(({ action }) => action)).toContain('prefix.loa_signed')
  })

  test('is refused beyond what a prefix has in effect, until one is revoked', async () => {
    const one = await approved()
    const first = await signed(one)
    await copies(first.id, 18)
    expect((await sign(one)).status).toBe(201)
    expect(await sign(one)).toMatchObject({
      status: 409,
      body: { code: 'limit_reached', detail: expect.stringContaining('Revoke') },
    })
    await call(one.userId, 'DELETE', `${one.path}/${first.id}`)
    expect((await sign(one)).status).toBe(201)
  })

  test('is refused beyond what an account has stored, whatever became of them, also when two are signed at once', async () => {
    const one = await approved()
    const other = { ...one, value: '45.61.0.0/24', id: await testApp.request(one.userId, '45.61.0.0/24') }
    other.path = `/api/transit_prefixes/${other.id}/loas`
    const { id } = await signed(one)
    await call(one.userId, 'DELETE', `${one.path}/${id}`)
    await copies(id, 498)
    const answers = await Promise.all([sign(one), sign(other)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'limit_reached' })
  })

  test('says what the portal had seen of the prefix at that time, and not what it sees later', async () => {
    const one = await approved()
    await db
      .insertInto('prefix_evidence')
      .values({
        prefix_id: one.id,
        kind: 'roa',
        source: 'RPKI',
        strength: 'strong',
        seen: 'A ROA for the origin.',
        observed_at: new Date('2026-11-01T00:00:00Z'),
        expires_at: null,
        next_check_at: null,
      })
      .execute()
    const { id } = await signed(one)
    await db.deleteFrom('prefix_evidence').where('prefix_id', '=', one.id).execute()
    const text = textOf((await file(one.userId, `${one.path}/${id}.pdf`)).rawPayload)
    expect(text).toContain('ROA (RPKI, strong), seen 2026-11-01: A ROA for the origin.')
    expect(text).toContain('The registered holder of the block was not known.')
  })

  test('names the registered holder of the block and the registry that says so', async () => {
    const one = await approved()
    await db
      .insertInto('prefix_registrations')
      .values({
        prefix_id: one.id,
        registry: 'RIPE',
        holder: 'Heron Networks',
        answered_at: new Date('2026-11-02T00:00:00Z'),
        checked_at: new Date(),
        next_check_at: new Date(),
      } as never)
      .execute()
    const loa = await signed(one)
    expect(loa.holder).toEqual({ name: 'Heron Networks', registry: 'RIPE' })
    const text = textOf((await file(one.userId, `${one.path}/${loa.id}.pdf`)).rawPayload)
    expect(text).toContain('Registered holder of the block, according to RIPE on 2026-11-02: Heron Networks.')
  })

  test('is not signed with another text than the one of now', async () => {
    const one = await approved()
    const { body } = await call(one.userId, 'GET', `${one.path}/new`)
    await db.updateTable('transit_prefixes').set({ origin_asn: 64_500 }).where('id', '=', one.id).execute()
    const answer = await call(one.userId, 'POST', one.path, { ...SIGNATORY, textDigest: body.textDigest })
    expect(answer).toMatchObject({ status: 409, body: { code: 'text_changed' } })
  })

  test.each(['NEEDS_ACTION', 'REJECTED', 'SUSPENDED', 'WITHDRAWN'] as const)(
    'is not signed for a prefix that is %s',
    async (status) => {
      const one = await approved()
      const { body } = await call(one.userId, 'GET', `${one.path}/new`)
      await db.updateTable('transit_prefixes').set({ status }).where('id', '=', one.id).execute()
      expect((await call(one.userId, 'GET', `${one.path}/new`)).status).toBe(409)
      const answer = await call(one.userId, 'POST', one.path, { ...SIGNATORY, textDigest: body.textDigest })
      expect(answer.status).toBe(409)
    },
  )

  test('is not signed while the proof of the ASN is at risk', async () => {
    const one = await approved()
    const times = { at_risk_since: new Date(), lapses_at: new Date(Date.now() + 86_400_000) }
    await db
      .updateTable('asn_ownerships')
      .set({ risk: 'expired', ...times })
      .where('account_id', '=', accountIdOf(one.userId))
      .execute()
    expect((await call(one.userId, 'GET', `${one.path}/new`)).status).toBe(409)
  })

  test.each([
    ['a control character', 'name', { ...SIGNATORY, name: 'Ada\u0007Lovelace' }],
    ['an override of the direction', 'name', { ...SIGNATORY, name: 'Ada \u202Eecalevol' }],
    ['a second line', 'title', { ...SIGNATORY, title: 'Head\nValid until 2099' }],
    ['nothing', 'title', { ...SIGNATORY, title: '  ' }],
    ['more than 120 characters', 'name', { ...SIGNATORY, name: 'a'.repeat(121) }],
  ])('takes no name with %s, and says which field', async (_, field, signatory) => {
    const answer = await sign(await approved(), signatory)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } })
  })

  test.each([['Łukasz Žižek'], ['Γιώργος Παπαδόπουλος'], ['Дунав Хостинг'], ['山田太郎'], ['محمد عبد الله'], ['ปิยะ']])(
    'keeps the name %s in the PDF',
    async (name) => {
      const one = await approved()
      const { body } = await sign(one, { ...SIGNATORY, name })
      expect(body.signatory.name).toBe(name)
      const pdf = (await file(one.userId, `${one.path}/${body.id}.pdf`)).rawPayload
      expect(textOf(pdf)).not.toContain('[U+')
      expect(pdf.length).toBeLessThan(100_000)
    },
  )

  test('is never changed or removed, only revoked, once', async () => {
    const one = await approved()
    const { id } = await signed(one)
    const change = (set: object) => db.updateTable('loas').set(set).where('id', '=', id).execute()
    await expect(change({ signatory_name: 'Somebody else' })).rejects.toThrow('never changed')
    await expect(db.deleteFrom('loas').where('id', '=', id).execute()).rejects.toThrow('never changed')
    await expect(sql`truncate loas`.execute(db)).rejects.toThrow('never changed')
    await change({ revoked_at: new Date() })
    await expect(change({ revoked_at: null })).rejects.toThrow('never changed')
  })

  test('is signed twenty times at once and no more', async () => {
    const one = await approved()
    for (let count = 0; count < 20; count++) expect((await sign(one)).status).toBe(201)
    expect((await sign(one)).status).toBe(429)
  })
})

describe('who reads, signs and revokes it', () => {
  test('another customer finds nothing, and neither does the owner under another prefix', async () => {
    const one = await approved()
    const other = await approved()
    const { id } = await signed(one)
    const absent = 8_388_607
    for (const [as, path] of [
      [other.userId, one.path],
      [one.userId, `/api/transit_prefixes/${absent}/loas`],
    ] as const) {
      expect((await call(as, 'GET', path)).status).toBe(404)
      expect((await call(as, 'GET', `${path}/new`)).status).toBe(404)
      expect((await call(as, 'POST', path, { ...SIGNATORY, textDigest: 'x' })).status).toBe(404)
      expect((await call(as, 'DELETE', `${path}/${id}`)).status).toBe(404)
      expect((await file(as, `${path}/${id}.pdf`)).statusCode).toBe(404)
    }
    expect((await file(other.userId, `${other.path}/${id}.pdf`)).statusCode).toBe(404)
    expect((await call(other.userId, 'DELETE', `${other.path}/${id}`)).status).toBe(404)
    expect((await call(other.userId, 'GET', other.path)).body).toEqual([])
    expect((await call(one.userId, 'GET', one.path)).body).toMatchObject([{ id, state: 'VALID' }])
  })

  test('staff read the list and the file, and a customer does not read theirs', async () => {
    const one = await approved()
    const { id } = await signed(one)
    const path = `/api/admin${one.path.slice(4)}`
    expect((await call(staff, 'GET', path)).body).toMatchObject([{ id, signatory: SIGNATORY }])
    expect((await file(staff, `${path}/${id}.pdf`)).statusCode).toBe(200)
    expect((await call(staff, 'GET', '/api/admin/transit_prefixes/8388607/loas')).status).toBe(404)
    expect((await file(staff, `/api/admin/transit_prefixes/8388607/loas/${id}.pdf`)).statusCode).toBe(404)
    expect((await call(one.userId, 'GET', path)).status).toBe(403)
    expect((await file(one.userId, `${path}/${id}.pdf`)).statusCode).toBe(403)
  })

  test('its owner revokes it once; it stays in the list', async () => {
    const one = await approved()
    const loa = await signed(one)
    const first = await call(one.userId, 'DELETE', `${one.path}/${loa.id}`)
    expect(first).toMatchObject({ status: 200, body: { state: 'REVOKED' } })
    expect(await call(one.userId, 'DELETE', `${one.path}/${loa.id}`)).toEqual(first)
    expect((await call(one.userId, 'GET', one.path)).body).toEqual([first.body])
    const entries = await db
      .selectFrom('audit_events')
      .select('id')
      .where('account_id', '=', accountIdOf(one.userId))
      .where('action', '=', 'prefix.loa_revoked')
      .execute()
    expect(entries).toHaveLength(1)
    expect(await verify(codeOf(loa))).toMatchObject({ body: { state: 'REVOKED', revokedAt: first.body.revokedAt } })
  })
})

describe('its verification', () => {
  test('needs no account and says what the letter says, and nothing else of the customer', async () => {
    const one = await approved()
    const { id: _, verifyUrl, ...facts } = await signed(one)
    const answer = await verify(codeOf({ verifyUrl }))
    expect(answer).toMatchObject({ status: 200, body: facts })
    expect(Object.keys(answer.body).toSorted()).toEqual(Object.keys(facts).toSorted())
    expect(JSON.stringify(answer.body)).not.toContain('@')
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('finds the code in capitals, as a reader may type it', async () => {
    const loa = await signed(await approved())
    expect((await verify(codeOf(loa).toUpperCase())).status).toBe(200)
  })

  test.each([['0'.repeat(40)], ['1'], ['%25'], ['x'.repeat(90)]])(
    'says that no letter has the code %s',
    async (code) => {
      expect(await verify(code)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )

  test('says that it is void while the prefix is not approved or pending', async () => {
    const one = await approved()
    const code = codeOf(await signed(one))
    const stateWith = async (set: object) => {
      await db.updateTable('transit_prefixes').set(set).where('id', '=', one.id).execute()
      return (await verify(code)).body.state
    }
    expect(await stateWith({ status: 'SUSPENDED' })).toBe('VOID')
    expect(await stateWith({ status: 'PENDING' })).toBe('UNAPPROVED')
    expect(await stateWith({ status: 'APPROVED' })).toBe('VALID')
    expect(await stateWith({ origin_asn: 64_500 })).toBe('VOID')
    expect(await stateWith({ origin_asn: one.asn })).toBe('VALID')
    await call(one.userId, 'DELETE', `/api/transit_prefixes/${one.id}`)
    expect((await verify(code)).body.state).toBe('VOID')
  })

  test('says that it is void once the account has another ASN, or none that is verified', async () => {
    const one = await approved()
    const code = codeOf(await signed(one))
    const ownership = (set: object) =>
      db.updateTable('asn_ownerships').set(set).where('account_id', '=', accountIdOf(one.userId)).execute()
    await ownership({ verified_at: null })
    expect((await verify(code)).body.state).toBe('VOID')
    await ownership({ verified_at: new Date(), asn: ++asn })
    expect((await verify(code)).body.state).toBe('VOID')
  })

  test('never calls a letter valid while the operator has approved nothing: a stranger may ask for any space', async () => {
    const one = await approved()
    await db.updateTable('transit_prefixes').set({ status: 'PENDING' }).where('id', '=', one.id).execute()
    const loa = await signed(one)
    expect(loa.state).toBe('UNAPPROVED')
    expect((await verify(codeOf(loa))).body.state).toBe('UNAPPROVED')
  })

  test('says that it is void while staff hold the account suspended, and once the account is closed', async () => {
    const one = await approved()
    const code = codeOf(await signed(one))
    const { id } = await db
      .insertInto('account_suspensions')
      .values({ account_id: accountIdOf(one.userId), reason: 'Abuse.', suspended_by: staff, suspended_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await verify(code)).body.state).toBe('VOID')
    await db
      .updateTable('account_suspensions')
      .set({ lifted_by: staff, lifted_at: new Date(), lift_reason: 'Solved.' })
      .where('id', '=', id)
      .execute()
    expect((await verify(code)).body.state).toBe('VALID')
    await db.updateTable('users').set({ closed_at: new Date() }).where('id', '=', one.userId).execute()
    expect((await verify(code)).body.state).toBe('VOID')
  })

  test('says that it has expired after its last day', async () => {
    const code = codeOf(await signed(await approved()))
    const { clock } = deps
    const inAYear = new Date(Date.now() + 366 * 86_400_000)
    try {
      Object.assign(deps, { clock: { ...clock, now: () => inAYear } })
      expect((await verify(code)).body.state).toBe('EXPIRED')
    } finally {
      Object.assign(deps, { clock })
    }
  })

  test('is throttled for each network, with the same answer for codes that exist', async () => {
    const code = codeOf(await signed(await approved()))
    const statuses = new Set<number>()
    for (let count = 0; count < 31; count++) statuses.add((await verify('0'.repeat(40), '203.0.113.9')).status)
    expect([...statuses]).toEqual([404, 429])
    const answer = await verify(code, '203.0.113.9')
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await verify(code)).status).toBe(200)
  })
})

describe('the text', () => {
  const subject = { prefix: '45.60.0.0/24', originAsn: 64_500, operator: { name: 'Carrier', asn: 500_000 } }
  const at = new Date('2026-11-23T00:00:00Z')

  test('says that the operator originates a prefix that has its ASN as origin', () => {
    expect(paragraphsOf({ ...subject, originAsn: 500_000 })[0]).toContain('to originate 45.60.0.0/24')
  })

  test('claims no proof that is not known, and none where staff confirmed the ASN', () => {
    const sentence = (method: string | null) => proofSentence({ asn: 64_500, method, verifiedAt: at })
    expect(sentence(null)).toContain('the account whose AS64500 was verified on 2026-11-23')
    expect(sentence('staff')).toContain('for which staff of the operator confirmed control of AS64500 on 2026-11-23')
    expect(sentence('peeringdb')).toContain('that proved control of AS64500 by PeeringDB on 2026-11-23')
  })

  test('says that evidence speaks against the prefix, and that there is none', () => {
    const seen = { prefix: '45.60.0.0/24', approved: false, holder: null, rpki: 'INVALID', irr: 'UNKNOWN' } as const
    expect(evidenceLines({ ...seen, evidence: [] }).at(-1)).toBe('No other evidence was seen.')
    const against = {
      kind: 'roa',
      source: 'RPKI',
      strength: 'contradicts',
      seen: 'Another origin.',
      observedAt: at,
      expiresAt: null,
      nextCheckAt: null,
    } as const
    const lines = evidenceLines({ ...seen, evidence: [against] })
    expect(lines).toContain('45.60.0.0/24 was requested and not yet approved.')
    expect(lines).toContain('Origin validation (RFC 6811): Invalid. IRR: unknown.')
    expect(lines).toContain('ROA (RPKI, speaks against it), seen 2026-11-23: Another origin.')
  })

  test('stays inside the page, over as many as it takes, and is the same file each time', async () => {
    const render = () =>
      loaPdf({
        ...subject,
        operator: { name: 'Telekommunikationsgesellschaft '.repeat(4).trim(), asn: 500_000 },
        signatory: { name: 'W'.repeat(120), title: '山'.repeat(120) },
        proof: { asn: 64_500, method: 'peeringdb', verifiedAt: at },
        paragraphs: paragraphsOf(subject),
        evidence: Array.from({ length: 60 }, (_, index) =>
          `Evidence ${index}\u202E with \u0007 hostile text. `.repeat(3),
        ),
        signedAt: at,
        validUntil: at,
        verifyUrl: `https://portal.example.net/loa/${'0'.repeat(40)}`,
        productName: 'Longhaul',
      })
    const pdf = await render()
    expect(pdf.equals(await render())).toBe(true)
    const pages = pagesOf(pdf)
    expect(pages.length).toBeGreaterThan(1)
    for (const { x, y, text } of pages.flat()) {
      expect(x).toBeGreaterThanOrEqual(56)
      expect(x).toBeLessThan(540)
      expect(y).toBeGreaterThan(20)
      expect(y).toBeLessThan(800)
      expect(text).not.toMatch(/[\p{Cc}\u202E]/u)
    }
  })
})

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createKeyPair, keyDigest } from '../../drivers/agent/certificates.ts'
import { readEnrolmentToken } from '../../drivers/agent/enrolment-token.ts'
import { manualClock } from '../../kernel/clock.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { testDatabase } from '../../platform/db/testing.ts'
import { findAcceptedAgent, listAgents, noteConnected, noteDisconnected, revokeAgent } from './agents.ts'
import { readAuthority } from './authority.ts'
import { createEnrolmentToken, enrolAgent } from './enrolment.ts'
import type { AgentOf } from './tables.ts'

const OLD = 'o'.repeat(32)
const KEY = 'k'.repeat(32)
const { db } = await testDatabase()
const clock = manualClock('2026-03-02T09:00:00Z')
const deps = { secretKey: KEY, clock }
let hosts = 0
const newHost = (): AgentOf => ({ kind: 'hypervisor', slug: `ams1-hv${++hosts}` })
const tokenFor = async (of: AgentOf) =>
  readEnrolmentToken((await createEnrolmentToken(deps, db, SYSTEM, of)).token).secret
const enrol = (token: string, { publicKey } = createKeyPair()) => enrolAgent(deps, db, { token, publicKey })
const REFUSED = { refused: 'The token is unknown, used or expired: staff make a new one.' }

describe('a token of an agent', () => {
  it('is good once, for one key', async () => {
    const host = newHost()
    const token = await tokenFor(host)
    const keys = createKeyPair()
    expect(await enrol(token, keys)).toMatchObject({ role: 'hypervisor', slug: host.slug })
    expect(await enrol(token)).toEqual(REFUSED)
    expect(await enrol(token, keys)).toEqual(REFUSED)
    expect(await findAcceptedAgent(db, keyDigest(keys.publicKey))).toMatchObject(host)
  })

  it('is redeemed by one of two that use it at the same moment', async () => {
    const token = await tokenFor(newHost())
    const answers = await Promise.all([enrol(token), enrol(token), enrol(token)])
    expect(answers.filter((answer) => 'certificate' in answer)).toHaveLength(1)
  })

  it('ends after a day, and when a later one is made', async () => {
    const host = newHost()
    const [first, second] = [await tokenFor(host), await tokenFor(host)]
    expect(await enrol(first)).toEqual(REFUSED)
    clock.advance(24 * 3_600_000)
    expect(await enrol(second)).toEqual(REFUSED)
  })

  it('is kept as a digest under the secret key, and works while that is changed', async () => {
    const former = { secretKey: OLD, clock }
    // The authority is encrypted under the key in use when it was created.
    await db.deleteFrom('agent_authority').execute()
    const { token } = await createEnrolmentToken(former, db, SYSTEM, newHost())
    const { secret } = readEnrolmentToken(token)
    const { digest } = await db
      .selectFrom('agent_tokens')
      .select('digest')
      .orderBy('expires_at', 'desc')
      .executeTakeFirstOrThrow()
    expect(digest.equals(createHash('sha256').update(secret).digest())).toBe(false)
    const { publicKey } = createKeyPair()
    expect(await enrolAgent({ secretKey: 'x'.repeat(32), clock }, db, { token: secret, publicKey })).toEqual(REFUSED)
    const changed = { secretKey: [KEY, OLD] as const, clock }
    expect(await enrolAgent(changed, db, { token: secret, publicKey })).toHaveProperty('certificate')
    await db.deleteFrom('agent_authority').execute()
  })

  it.each(['', 'x', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'])(
    'is not spent on what is no key: %j',
    async (publicKey) => {
      const token = await tokenFor(newHost())
      expect(await enrolAgent(deps, db, { token, publicKey })).toHaveProperty('refused')
      expect(await enrol(token)).toHaveProperty('certificate')
    },
  )
})

describe('an agent', () => {
  it('is replaced by the next that is enrolled for the same', async () => {
    const host = newHost()
    const keys = [createKeyPair(), createKeyPair()]
    for (const one of keys) expect(await enrol(await tokenFor(host), one)).toHaveProperty('certificate')
    const [first, second] = keys.map(({ publicKey }) => keyDigest(publicKey))
    expect(await findAcceptedAgent(db, first!)).toBeUndefined()
    expect(await findAcceptedAgent(db, second!)).toMatchObject(host)
    expect((await listAgents(db, host)).map(({ key, revokedAt }) => [key, revokedAt === null])).toEqual([
      [second, true],
      [first, false],
    ])
    // A revoked key cannot be enrolled again.
    expect(await enrol(await tokenFor(host), keys[0])).toHaveProperty('refused')
  })

  it('is not connected as soon as its link has ended, unless it made another one', async () => {
    const host = newHost()
    await enrol(await tokenFor(host))
    const [agent] = await listAgents(db, host)
    const [since, later] = [clock.now(), new Date(clock.now().getTime() + 1_000)]
    await noteConnected(db, agent!.id, { since, release: 'r1' })
    await noteConnected(db, agent!.id, { since: later, release: 'r1' })
    await noteDisconnected(db, agent!.id, since)
    expect(await listAgents(db, host)).toMatchObject([{ connected: true, connectedAt: later.toISOString() }])
    await noteDisconnected(db, agent!.id, later)
    expect(await listAgents(db, host)).toMatchObject([
      { connected: false, connectedAt: null, seenAt: expect.any(String) },
    ])
  })

  it('an agent that is revoked is no longer accepted, and counts as not connected', async () => {
    const host = newHost()
    const keys = createKeyPair()
    await enrol(await tokenFor(host), keys)
    const [agent] = await listAgents(db, host)
    const seen = { since: clock.now(), release: 'r1' }
    expect(await noteConnected(db, agent!.id, seen)).toBe(true)
    expect(await listAgents(db, host)).toMatchObject([{ connected: true, release: 'r1', revokedAt: null }])
    await db.transaction().execute((on) => revokeAgent(on, SYSTEM, agent!.id, clock.now()))
    expect(await noteConnected(db, agent!.id, seen)).toBe(false)
    expect(await listAgents(db, host)).toMatchObject([{ connected: false, revokedAt: clock.now().toISOString() }])
    expect(await findAcceptedAgent(db, keyDigest(keys.publicKey))).toBeUndefined()
    const { rows } = await db.executeQuery<{ action: string }>(
      db.selectFrom('audit_events').select('action').where('subject_id', '=', agent!.id).orderBy('id').compile(),
    )
    expect(rows.map(({ action }) => action)).toEqual(['agent.enrolled', 'agent.revoked'])
  })
})

it('the authority is made once, however many need it first', async () => {
  await db.deleteFrom('agent_authority').execute()
  const made = await Promise.all(Array.from({ length: 4 }, () => readAuthority(db, KEY)))
  expect(new Set(made.map(({ privateKey }) => privateKey)).size).toBe(1)
})

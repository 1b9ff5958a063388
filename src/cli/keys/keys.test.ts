import type { UserId } from '../../kernel/ids.ts'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticate } from '../../accounts/index.ts'
import { authenticateToken } from '../../accounts/api-tokens.ts'
import { systemClock } from '../../kernel/clock.ts'
import { accountIdOf, testDatabase } from '../../platform/db/testing.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'
import { queueMail, readMailBody } from '../../platform/mail.ts'
import type { SecretKey } from '../../platform/secret-key.ts'
import { encryptPassword, openPassword } from '../../transit/connections/session-password.ts'
import { run, settingsFor } from '../testing.ts'
import { keyedDigestOf } from '../../accounts/tokens.ts'
import { reseal, SEALED_COLUMNS } from './reseal.ts'

const OLD = 'o'.repeat(32)
const NEW = 'n'.repeat(32)
const BOTH: SecretKey = [NEW, OLD]
const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-keys-'))
afterAll(() => rm(folder, { recursive: true }))
const { db, url } = await testDatabase()
const env = settingsFor(url, folder)

let userId = 0
let connectionId = 0
/** One of every encrypted value, under the old key. */
beforeEach(async () => {
  for (const table of [
    'totp_factors',
    'transit_connections',
    'outgoing_mail',
    'webhook_endpoints',
    'idempotency_keys',
    'sessions',
    'api_tokens',
  ]) {
    await sql`delete from ${sql.table(table)}`.execute(db)
  }
  const user = await sql<{
    id: number
  }>`insert into users (email, first_name, last_name, password_hash, email_verified_at)
    values (gen_random_uuid() || '@example.net', 'Ann', 'Example', 'x', now()) returning id`.execute(db)
  userId = user.rows[0]!.id
  await sql`insert into totp_factors (user_id, encrypted_secret) values (${userId}, ${encrypt(OLD, 'totp', Buffer.from('secret'))})`.execute(
    db,
  )
  const connection = await sql<{
    id: number
  }>`insert into transit_connections (account_id) values (${accountIdOf(userId)}) returning id`.execute(db)
  connectionId = connection.rows[0]!.id
  await db
    .updateTable('transit_connections')
    .set({ encrypted_password: encryptPassword({ secretKey: OLD }, connectionId, 'hush') })
    .where('id', '=', connectionId)
    .execute()
  await queueMail(db, OLD, {
    to: 'ann@example.net',
    userId: userId as UserId,
    subject: 'A',
    text: 'the text',
    html: '<p>the text</p>',
  })
  const secret = encrypt(OLD, 'webhook secret', Buffer.from('hook'))
  await sql`insert into webhook_endpoints (account_id, url, description, events, secret, previous_secret, previous_until, created_at)
    values (${accountIdOf(userId)}, 'https://example.net', '', '{router.created}', ${secret}, ${secret}, now(), now())`.execute(
    db,
  )
  const answer = JSON.stringify(encrypt(OLD, 'idempotent answer', Buffer.from('"yes"')).toString('base64'))
  await sql`insert into idempotency_keys (caller, key, endpoint, body_digest, status, answer)
    values ('user 1', 'k', 'POST /', '\\x00', 200, ${answer}::jsonb)`.execute(db)
})

/** Decrypts each value with this key; throws where one cannot be decrypted. */
async function openAll(key: SecretKey) {
  const totp = await db.selectFrom('totp_factors').selectAll().executeTakeFirstOrThrow()
  const connection = await db.selectFrom('transit_connections').selectAll().executeTakeFirstOrThrow()
  const mail = await db.selectFrom('outgoing_mail').selectAll().executeTakeFirstOrThrow()
  const hook = await db.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow()
  const idempotent = await db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow()
  return [
    () => decrypt(key, 'totp', totp.encrypted_secret).toString(),
    () => openPassword({ secretKey: key }, connection),
    () => readMailBody(key, mail)!.text,
    () => decrypt(key, 'webhook secret', hook.secret).toString(),
    () => decrypt(key, 'webhook secret', hook.previous_secret!).toString(),
    () => decrypt(key, 'idempotent answer', Buffer.from(idempotent.answer as string, 'base64')).toString(),
  ]
}
const ALL = ['secret', 'hush', 'the text', 'hook', 'hook', '"yes"']

describe('after a rotation', () => {
  test('everything sealed opens under the new key, and nothing under the old one', async () => {
    for (const open of await openAll(NEW)) expect(open).toThrow()
    expect((await openAll(BOTH)).map((open) => open())).toEqual(ALL)
    expect(await reseal(db, BOTH, { write: true })).toEqual({ renewed: 6, current: 0, unreadable: [] })
    expect((await openAll(NEW)).map((open) => open())).toEqual(ALL)
    for (const open of await openAll(OLD)) expect(open).toThrow()
  })

  test('a rotation that was stopped in the middle is finished by a second one, and a third does nothing', async () => {
    const renewed = encrypt(NEW, 'totp', Buffer.from('secret'))
    await db.updateTable('totp_factors').set({ encrypted_secret: renewed }).execute()
    expect(await reseal(db, BOTH, { write: true })).toEqual({ renewed: 5, current: 1, unreadable: [] })
    expect(await reseal(db, BOTH, { write: true })).toEqual({ renewed: 0, current: 6, unreadable: [] })
  })

  test('what is sealed under neither key is named and left as it is', async () => {
    const { unreadable } = await reseal(db, [NEW, 'x'.repeat(32)], { write: true })
    expect(unreadable).toContain(`totp_factors.encrypted_secret of ${userId}`)
    expect(unreadable).toHaveLength(6)
    expect((await openAll(OLD)).map((open) => open())).toEqual(ALL)
  })
})

test('no sealed column is forgotten', async () => {
  const { rows } = await sql<{ name: string }>`select table_name || '.' || column_name as name
    from information_schema.columns where table_schema = current_schema() and column_name like 'encrypted%'`.execute(db)
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(known).toEqual(expect.arrayContaining(rows.map(({ name }) => name)))
})

describe('the commands', () => {
  test('make a key, seal everything under it, and forget the former one', async () => {
    const file = path.join(folder, 'secret-key')
    const keys = async () => (await readFile(file, 'utf8')).split('\n')
    expect((await run(['keys', 'rotate'], { ...env, SECRET_KEY: OLD })).text).toContain(
      '6 already used the current key',
    )
    expect((await run(['keys', 'rotate'], env)).code).toBe(1)
    const [first] = await keys()
    await reseal(db, [first!, OLD], { write: true })

    expect((await run(['keys', 'new'], env)).code).toBe(0)
    const [second, former] = await keys()
    expect(former).toBe(first)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await run(['keys', 'forget'], env)).text).toContain('Run longhaul keys rotate first')
    expect(await keys()).toEqual([second, first])
    expect(await run(['keys', 'rotate'], env)).toMatchObject({
      code: 0,
      text: expect.stringContaining('Re-encrypted 6 values'),
    })
    expect((await run(['keys', 'forget'], env)).code).toBe(0)
    expect(await keys()).toEqual([second])
    expect((await openAll(second!)).map((open) => open())).toEqual(ALL)
  })

  test('say what to set where the key comes from the settings', async () => {
    const { text } = await run(['keys', 'new'], { ...env, SECRET_KEY: OLD })
    expect(text).toMatch(new RegExp(`^SECRET_KEY=[0-9a-f]{64}\nSECRET_KEY_PREVIOUS=${OLD}$`, 'm'))
    expect((await run(['keys', 'rotate'], { ...env, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD })).code).toBe(0)
    expect((await openAll(NEW)).map((open) => open())).toEqual(ALL)
  })
})

describe('a session and an API token', () => {
  const insert = async (digestOf: (token: string) => Buffer) => {
    await sql`insert into sessions (digest, user_id, created_at, last_seen_at, ip, user_agent)
      values (${digestOf('s')}, ${userId}, now(), now(), '192.0.2.1', 'x')`.execute(db)
    await sql`insert into api_tokens (digest, user_id, name, created_at, expires_at, scopes, networks)
      values (${digestOf('lht_t')}, ${userId}, 'x', now(), now() + interval '1 day', '{account:read}', '{}')`.execute(
      db,
    )
  }
  const found = async (secretKey: SecretKey) => {
    const common = { clock: systemClock, staffSecondFactor: false }
    const session = await createAuthenticate({ db, secretKey, ...common })({
      sessionToken: 's',
      bearer: null,
      ip: '192.0.2.1',
    })
    const token = await authenticateToken({ db, secretKey }, 'lht_t', '192.0.2.1', {
      now: new Date(),
      staffSecondFactor: false,
    })
    return [session?.userId ?? null, token?.userId ?? null]
  }

  test('a session or an API token that was written into the database without the key opens nothing', async () => {
    await insert((token) => createHash('sha256').update(token).digest())
    expect(await found(OLD)).toEqual([null, null])
  })

  test('continues through a rotation once it was used under both keys', async () => {
    await insert((token) => keyedDigestOf(OLD, token))
    expect(await found(OLD)).toEqual([userId, userId])
    expect(await found(NEW)).toEqual([null, null])
    expect(await found(BOTH)).toEqual([userId, userId])
    expect(await found(NEW)).toEqual([userId, userId])
    expect(await found(OLD)).toEqual([null, null])
  })
})

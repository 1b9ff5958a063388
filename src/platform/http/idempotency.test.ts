import { sql, type KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { claimKey } from './idempotency.ts'
import { createHttpTestApp } from './testing.ts'

const { db, make, countThings, laterReads } = await createHttpTestApp()

describe('Idempotency-Key', () => {
  test('answers twenty repeats at once with what the first did, once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => make({ name: 'once', size: 1 }, { 'idempotency-key': 'k-once' })),
    )
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
    expect(answers[0]!.statusCode).toBe(201)
    expect(await countThings('once')).toBe(1)
  })

  test('refuses another body under the same key', async () => {
    await make({ name: 'first', size: 1 }, { 'idempotency-key': 'k-body' })
    const answer = await make({ name: 'second', size: 1 }, { 'idempotency-key': 'k-body' })
    expect(answer.statusCode).toBe(422)
    expect(await countThings('second')).toBe(0)
  })

  test('takes a body that was left out for an empty one', async () => {
    const headers = { 'idempotency-key': 'k-empty' }
    const responses = [
      await make(undefined, headers, 'customer-secret', '/api/remarks'),
      await make({}, headers, 'customer-secret', '/api/remarks'),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  test('takes the same body in another order of its members for the same', async () => {
    const headers = { 'idempotency-key': 'k-order' }
    const [first, again] = [
      await make({ name: 'ordered', size: 1 }, headers),
      await make({ size: 1, name: 'ordered' }, headers),
    ]
    expect([first.statusCode, again.statusCode, again.body]).toEqual([201, 201, first.body])
    expect(await countThings('ordered')).toBe(1)
  })

  test('answers repeats with a later response that was read after the commit; the one before is for a crash', async () => {
    const remark = () => make({ remark: 'later' }, { 'idempotency-key': 'k-later' }, 'customer-secret', '/api/remarks')
    laterReads.length = 0
    expect((await remark()).json()).toEqual({ remark: 'read after the commit' })
    expect((await remark()).json()).toEqual({ remark: 'read after the commit' })
    expect(laterReads).toEqual(['in the transaction', 'after the commit'])
  })

  test('is needed for a later response to be read before the commit', async () => {
    laterReads.length = 0
    const answer = await make({ remark: 'later' }, {}, 'customer-secret', '/api/remarks')
    expect([answer.json(), laterReads]).toEqual([{ remark: 'read after the commit' }, ['after the commit']])
  })

  test('belongs to its caller alone', async () => {
    await make({ name: 'shared', size: 1 }, { 'idempotency-key': 'k-shared' })
    expect(
      (await make({ name: 'shared', size: 1 }, { 'idempotency-key': 'k-shared' }, 'other-secret')).statusCode,
    ).toBe(201)
    expect(await countThings('shared')).toBe(2)
    // A token of the same user: the first response may hold what its scopes do not cover.
    expect(
      (await make({ name: 'shared', size: 1 }, { 'idempotency-key': 'k-shared' }, 'token-secret')).statusCode,
    ).toBe(201)
    expect(await countThings('shared')).toBe(3)
  })

  test('a key that another call gives back in this moment is free', async () => {
    const request = { caller: 'somebody', key: 'k-given-back', endpoint: 'POST /api/things', body: {} }
    const named = { caller: request.caller, key: request.key }
    await db
      .insertInto('idempotency_keys')
      .values({ ...named, endpoint: 'POST /api/secrets', body_digest: Buffer.alloc(32) })
      .execute()
    const givingBack: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await db.deleteFrom('idempotency_keys').where('caller', '=', named.caller).where('status', 'is', null).execute()
        return result
      },
    }
    expect(await claimKey(db.withPlugin(givingBack), request)).toBeNull()
  })

  test('a key of a refused request may be used again, and what it did is rolled back', async () => {
    for (let i = 0; i < 2; i++) {
      expect((await make({ name: 'refused', size: 1 }, { 'idempotency-key': 'k-refused' })).statusCode).toBe(409)
    }
    expect(await countThings('refused')).toBe(0)
  })
})

describe('Idempotency-Key of a call that opens its transactions itself', () => {
  const hush = (name: string, key: string) =>
    make({ name }, { 'idempotency-key': key }, 'customer-secret', '/api/secrets')

  test('answers repeats, also at once, with what the first did, once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => hush('hushed', 'own-once')))
    answers.push(await hush('hushed', 'own-once'))
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
    expect(answers[0]!.statusCode).toBe(201)
    expect(await countThings('hushed')).toBe(1)
  })

  test('refuses another body, and frees the key of what it refused', async () => {
    await hush('first hush', 'own-body')
    expect((await hush('second hush', 'own-body')).statusCode).toBe(422)
    expect(await countThings('second hush')).toBe(0)
    expect((await hush('refused', 'own-refused')).statusCode).toBe(409)
    expect((await hush('not refused', 'own-refused')).statusCode).toBe(201)
  })

  test('does not leave the secret in the database', async () => {
    await hush('sealed', 'own-sealed')
    const { rows } = await sql<{
      answer: string
    }>`select answer::text from idempotency_keys where key = 'own-sealed'`.execute(db)
    expect(rows[0]!.answer).not.toContain('hush')
  })

  test('is free again once the process that claimed it is gone', async () => {
    await hush('interrupted', 'own-interrupted')
    await sql`update idempotency_keys set status = null, created_at = now() - interval '3 minutes' where key = 'own-interrupted'`.execute(
      db,
    )
    expect((await hush('interrupted', 'own-interrupted')).statusCode).toBe(201)
    expect(await countThings('interrupted')).toBe(2)
  })
})

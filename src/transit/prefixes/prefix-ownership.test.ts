import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatPrefix, overlaps, parsePrefix, samePrefix, type Prefix } from '../../kernel/prefix.ts'
import { Problem } from '../../kernel/problem.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { testDatabase, accountIdOf } from '../../platform/db/testing.ts'
import { claimPrefix } from './prefix-ownership.ts'
import { OCCUPYING_STATUSES } from '../states.ts'

const { db } = await testDatabase({ poolSize: 20 })
const users: number[] = []
const AT = new Date('2026-03-02T09:00:00Z')

beforeAll(async () => {
  for (let number = 0; number < 4; number++) {
    const { id } = await db
      .insertInto('users')
      .values({
        email: `holder-${number}@example.net`,
        first_name: 'Ann',
        last_name: 'Example',
        password_hash: '-',
        email_verified_at: AT,
        last_sign_in_at: null,
        last_sign_in_ip: null,
        closed_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    users.push(id)
  }
})

const claim = (transaction: Db, userId: number, prefix: Prefix) =>
  claimPrefix(transaction, {
    accountId: accountIdOf(userId),
    prefix,
    type: 'ORIGIN',
    requestedOrigin: null,
    origin: 500_010,
    at: AT,
  })

/** Makes a request that is proven at once. */
const take = (userId: number, prefix: Prefix): Promise<'held' | 'refused'> =>
  inTransaction(db, async (transaction) => {
    const { id } = await claim(transaction, userId, prefix)
    await transaction.updateTable('transit_prefixes').set({ proven: true }).where('id', '=', id).execute()
  }).then(
    () => 'held' as const,
    (error: unknown) => {
      if (error instanceof Problem && error.status === 422) return 'refused' as const
      throw error
    },
  )

const held = async () => {
  const rows = await db
    .selectFrom('transit_prefixes')
    .select(['account_id', 'value'])
    .where('status', 'in', OCCUPYING_STATUSES)
    .execute()
  return rows.map((row) => ({ accountId: row.account_id, prefix: parsePrefix(row.value) }))
}

/** A small part of the address space, so that most prefixes overlap. */
const anyPrefix = fc
  .tuple(fc.integer({ min: 20, max: 24 }), fc.integer({ min: 0, max: 15 }))
  .map(([length, third]) => parsePrefix(`45.80.${third & (0xff << (24 - length))}.0/${length}`))

describe('space', () => {
  test('is never held by two customers, however many ask for it in the same moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 3 }), anyPrefix), { minLength: 2, maxLength: 16 }),
        async (asked) => {
          await db.deleteFrom('transit_prefixes').execute()
          const outcomes = await Promise.all(asked.map(([user, prefix]) => take(users[user]!, prefix)))
          const rows = await held()
          expect(rows).toHaveLength(outcomes.filter((outcome) => outcome === 'held').length)
          expect(rows.length).toBeGreaterThan(0)
          for (const [index, a] of rows.entries()) {
            for (const b of rows.slice(index + 1)) {
              if (a.accountId === b.accountId) expect(samePrefix(a.prefix, b.prefix)).toBe(false)
              else expect(overlaps(a.prefix, b.prefix)).toBe(false)
            }
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('space that nobody has proved is open to all, and closed once one of them has proved it', async () => {
    await db.deleteFrom('transit_prefixes').execute()
    const prefix = parsePrefix('45.82.0.0/24')
    for (const userId of users) await inTransaction(db, (transaction) => claim(transaction, userId, prefix))
    const rows = await db.selectFrom('transit_prefixes').select('id').execute()
    expect(rows).toHaveLength(4)
    const prove = (id: number) =>
      db.updateTable('transit_prefixes').set({ proven: true }).where('id', '=', id).execute()
    await prove(rows[2]!.id)
    await expect(prove(rows[0]!.id)).rejects.toThrow('transit_prefixes_no_overlap')
    const approve = db.updateTable('transit_prefixes').set({ status: 'APPROVED' }).where('id', '=', rows[1]!.id)
    await expect(approve.execute()).rejects.toThrow('transit_prefixes_no_overlap')
  })

  test('goes to one of twenty who ask for the very same prefix at once', async () => {
    await db.deleteFrom('transit_prefixes').execute()
    const prefix = parsePrefix('2d10:99::/32')
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => take(users[index % 4]!, prefix)))
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(1)
  })

  test('space that the operator itself uses is closed to all', async () => {
    const { id } = await db
      .insertInto('sites')
      .values({ slug: 'x', name: 'X' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('address_pools')
      .values({
        site_id: id,
        prefix4: '45.81.4.0/24',
        gateway4: '45.81.4.1',
        prefix6: '2d10:88::/64',
        gateway6: '2d10:88::1',
      })
      .execute()
    for (const text of ['45.81.4.0/24', '45.81.0.0/16', '2d10:88::/32'])
      expect(await take(users[0]!, parsePrefix(text)), text).toBe('refused')
    expect(formatPrefix((await held())[0]!.prefix)).toBe('2d10:99::/32')
  })
})

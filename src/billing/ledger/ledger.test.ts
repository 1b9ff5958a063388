import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, accountIdOf } from '../../platform/db/testing.ts'
import { addPayer } from '../testing/test-app.ts'
import { LEDGER_ACCOUNTS } from '../tables.ts'
import { balanceOf, postToLedger, openAmount, type PostingGroup } from './post.ts'

const { db } = await testDatabase()
const at = new Date('2026-03-02T09:00:00Z')
let userId = 0
beforeAll(async () => {
  userId = await addPayer(db)
})

let sources = 0
const sale = (amount: number, invoiceId: number, change: Partial<PostingGroup> = {}): PostingGroup => ({
  source: `sale:${++sources}`,
  accountId: accountIdOf(userId),
  currency: 'EUR',
  at,
  postings: [
    { account: 'receivable', amount, invoiceId },
    { account: 'revenue:fees', amount: -amount, invoiceId, line: 1 },
  ],
  ...change,
})

const entries = () => db.selectFrom('ledger_entries').selectAll().orderBy('id').execute()

describe('the ledger', () => {
  test('books a sale, and knows what is open', async () => {
    expect(await postToLedger(db, [sale(1250, 1), sale(50, 1)])).toHaveProperty('size', 2)
    expect(await openAmount(db, 1)).toBe(1300)
    expect(await balanceOf(db, accountIdOf(userId))).toBe(1300)
  })

  test('books the same source once, also when twenty write it at the same time', async () => {
    const once = sale(100, 2)
    const written = await Promise.all(Array.from({ length: 20 }, () => postToLedger(db, [once])))
    expect(written.filter((sources) => sources.size > 0)).toHaveLength(1)
    expect(await openAmount(db, 2)).toBe(100)
  })

  test('refuses what does not balance, whole', async () => {
    const before = await entries()
    const crooked = sale(5, 3, { postings: [{ account: 'receivable', amount: 5, invoiceId: 3 }] })
    await expect(postToLedger(db, [sale(7, 3), crooked])).rejects.toThrow(/debits and credits/)
    expect(await entries()).toEqual(before)
  })

  test('refuses another currency than the customer has', async () => {
    await expect(postToLedger(db, [sale(5, 3, { currency: 'USD' })])).rejects.toThrow(/foreign key/)
  })

  test.each([
    ['ledger_entries', 'amount'],
    ['ledger_transactions', 'at'],
    ['invoice_lines', 'amount'],
  ])('lets no one change, remove or empty %s', async (table, column) => {
    const [name, changed] = [sql.table(table), sql.ref(column)]
    await expect(sql`delete from ${name}`.execute(db)).rejects.toThrow(/never changed/)
    await expect(sql`truncate ${name} cascade`.execute(db)).rejects.toThrow(/never changed/)
    await expect(sql`update ${name} set ${changed} = ${changed}`.execute(db)).rejects.toThrow(/never changed/)
  })

  test('keeps debits equal to credits whatever is booked', async () => {
    const posting = fc.record({ account: fc.constantFrom(...LEDGER_ACCOUNTS), amount: fc.integer() })
    const postingGroups = fc.array(
      fc.record({ postings: fc.array(posting, { maxLength: 4 }), balanced: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    await fc.assert(
      fc.asyncProperty(postingGroups, async (wanted) => {
        const made = wanted.map(({ postings, balanced }) => {
          const sum = postings.reduce((total, one) => total + one.amount, 0)
          const all = balanced ? [...postings, { account: 'cash' as const, amount: -sum }] : postings
          return sale(0, 9, { postings: all.map((one) => ({ ...one, invoiceId: 9 })) })
        })
        const straight = made.every((one) => one.postings.reduce((sum, { amount }) => sum + amount, 0) === 0)
        const outcome = await postToLedger(db, made).then(
          () => true,
          () => false,
        )
        expect(outcome).toBe(straight)
      }),
      { numRuns: 60 },
    )
    const { total } = await db
      .selectFrom('ledger_entries')
      .select((eb) => sql<number>`${eb.fn.sum('amount')}::bigint`.as('total'))
      .executeTakeFirstOrThrow()
    expect(total).toBe(0)
  })
})

/**
 * A handler that opens its own transactions claims the key before it acts: a process that dies in between leaves the
 * claim.
 */
import { expect, test } from 'vitest'
import { openDatabase } from '../db/index.ts'
import { testDatabase } from '../db/testing.ts'
import { answerOnce, type ResponseEncryption, type KeyedRequest } from './idempotency.ts'

const { db, url } = await testDatabase()
const encryption: ResponseEncryption = {
  close: (answer) => JSON.stringify(answer),
  open: (encrypted) => JSON.parse(encrypted) as unknown,
}
const request = (key: string): KeyedRequest => ({ caller: 'user:1', key, endpoint: 'POST /api/things', body: {} })
const forEver = new Promise<never>(() => undefined)

test('a claim of a process that is gone is taken over at once', async () => {
  const gone = openDatabase({ url })
  void answerOnce(gone.db, request('gone'), encryption, () => forEver).catch(() => undefined)
  await expect.poll(() => db.selectFrom('idempotency_keys').selectAll().execute()).toHaveLength(1)
  await gone.close()
  const began = performance.now()
  const answer = await answerOnce(db, request('gone'), encryption, () =>
    Promise.resolve({ status: 201, answer: 'done' }),
  )
  expect(answer).toEqual({ status: 201, answer: 'done' })
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('a claim of a process that lives is waited for, and its answer is everybody’s', async () => {
  const other = openDatabase({ url })
  const finish = Promise.withResolvers<void>()
  let acts = 0
  const act = async () => {
    acts++
    await finish.promise
    return { status: 201, answer: acts }
  }
  const first = answerOnce(other.db, request('lives'), encryption, act)
  await expect.poll(() => acts).toBe(1)
  const second = answerOnce(db, request('lives'), encryption, act)
  setTimeout(() => finish.resolve(), 300)
  expect(await Promise.all([first, second])).toEqual([
    { status: 201, answer: 1 },
    { status: 201, answer: 1 },
  ])
  expect(acts).toBe(1)
  await other.close()
})

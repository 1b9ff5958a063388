import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cached } from './cached.ts'

test('what took long is computed once for many, and what took no time again', async () => {
  let computed = 0
  const slow = cached(async () => {
    await sleep(60)
    return ++computed
  }, 50)
  expect(await Promise.all([slow(), slow()])).toEqual([1, 1])
  expect(await slow()).toBe(1)
  let cheap = 0
  const quick = cached(() => Promise.resolve(++cheap), 10_000)
  await quick()
  expect(await quick()).toBe(2)
})

test('a failure is asked about again', async () => {
  let tries = 0
  const shaky = cached(() => (++tries === 1 ? Promise.reject(new Error('away')) : Promise.resolve('here')))
  await expect(shaky()).rejects.toThrow('away')
  expect(await shaky()).toBe('here')
})

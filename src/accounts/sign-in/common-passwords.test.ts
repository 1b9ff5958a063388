import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { foldPassword, isCommonPassword } from './common-passwords.ts'

test('the list has a hundred thousand digests in ascending order', () => {
  const bytes = readFileSync(path.join(import.meta.dirname, 'common-passwords.bin'))
  const digests = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4))
  expect(digests.length).toBeGreaterThan(99_900)
  expect(digests.every((digest, index) => index === 0 || digest > digests[index - 1]!)).toBe(true)
})

test.each(['12345678', 'iloveyou2', 'PASSWORD1', 'ButterﬂY', 'smokin24'])('%s is on it', (password) => {
  expect(isCommonPassword(foldPassword(password))).toBe(true)
})

test('of 20 000 other passwords it takes no more than a few for one of its own', () => {
  const wrong = Array.from({ length: 20_000 }, (_, index) => isCommonPassword(`heron ${index} dunes`)).filter(Boolean)
  expect(wrong.length).toBeLessThan(6)
})

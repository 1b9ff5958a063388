import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { databaseTests, importsOf, isFixture } from './database-tests.ts'

const ROOT = path.join(import.meta.dirname, '../..')

test('a test uses a database when it imports the fixture, or another fixture that does', () => {
  const found = databaseTests(ROOT)
  expect(found).toContain('src/platform/db/grants.test.ts')
  expect(found).toContain('src/accounts/api-tokens.test.ts')
  expect(found).not.toContain('src/kernel/asn.test.ts')
})

test('only tests and fixtures import a fixture, so that none is reached through the product', () => {
  const product = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts') && !isFixture(file),
  )
  const importing = product.filter((file) => importsOf(ROOT, file).some(isFixture))
  expect(importing).toEqual([])
})

/**
 * Checks that the tests notice faults: each of planted/faults.ts is planted in a copy of the tree, one at a time, and
 * its tests must fail. `npm run prove` runs all of them, `npm test` a few.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTree, ROOT, type TreeCopy } from './planted/copy.ts'
import { FAULTS } from './planted/faults.ts'

const sample = process.env['PROVE'] ? FAULTS : FAULTS.slice(0, 2)
let copy: TreeCopy
beforeAll(async () => {
  copy = await copyTree()
})
afterAll(() => copy.remove())

test('there are sixty and more, and each is a line that exists once', () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(60)
  const wrong = FAULTS.filter(({ file, text }) => readFileSync(path.join(ROOT, file), 'utf8').split(text).length !== 2)
  expect(wrong.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
})

test('the tests pass where nothing is planted', { timeout: 600_000 }, async () => {
  const { failed, output } = await copy.run([...new Set(sample.flatMap(({ tests }) => tests))])
  expect(failed ? output.slice(-3_000) : '').toBe('')
})

test.each(sample.map((fault) => [`${fault.file}: ${fault.text} becomes ${fault.instead}`, fault] as const))(
  'is noticed: %s',
  { timeout: 300_000 },
  async (_, { file, text, instead, tests }) => {
    const { failed, output } = await copy.runWith(file, (before) => before.replace(text, () => instead), tests)
    // A copy that does not load fails too, and proves nothing.
    expect(failed && /Failed Tests \d/.test(output), output.slice(-2_000)).toBe(true)
  },
)

/**
 * Checks that the isolation matrix notices faults: each owner condition in a query of the customers' API is removed,
 * one at a time, and a probe of the matrix must fail. For that the conditions become switches in a copy of the tree,
 * and the matrix runs once there. Each probe runs with every condition; then each condition is switched off and the
 * probes that reach it run again.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findConditions, switchable, withSwitches } from './planted/conditions.ts'
import { copyTree, ROOT, type TreeCopy } from './planted/copy.ts'

const conditions = [...findConditions(ROOT).entries()]

let copy: TreeCopy
let matrix: { readonly noticed: Readonly<Record<number, string>>; readonly reached: readonly number[] }
beforeAll(async () => {
  copy = await copyTree()
  // From the last to the first, so that earlier positions stay valid.
  for (const [number, condition] of conditions.toReversed())
    await copy.change(condition.file, (text) => switchable(text, condition, number))
  for (const file of new Set(conditions.map(([, condition]) => condition.file))) await copy.change(file, withSwitches)
  // A query that is built once would keep its conditions.
  await copy.change('src/platform/db/prepared-query.ts', (text) => text.replace('compiled ??= compile', 'compile'))
  const result = path.join(copy.folder, 'removals.json')
  const { failed, output } = await copy.run(['src/main/isolation', '-t', 'which probe notices'], {
    LONGHAUL_ISOLATION_REMOVALS: result,
  })
  expect(failed ? output.slice(-5_000) : '').toBe('')
  matrix = JSON.parse(readFileSync(result, 'utf8')) as typeof matrix
}, 1_800_000)
afterAll(() => copy.remove())

test('finds the conditions of the customers’ API', () => {
  expect(conditions.length).toBeGreaterThan(200)
})

test.each(conditions.map(([number, one]) => [`${one.place}: ${one.text}`, number] as const))(
  'the matrix notices that this is removed: %s',
  (_, number) => {
    const hint = matrix.reached.includes(number) ? 'a probe gets there and notices nothing' : 'no probe gets there'
    expect(matrix.noticed[number], hint).toBeDefined()
  },
)

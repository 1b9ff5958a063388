/**
 * That the isolation matrix notices: each condition on the owner in a query of the customers' API is removed in a copy
 * of the tree, one at a time, and the matrix must fail. `npm run prove` does all of them, `npm test` a few.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTree, ROOT, type TreeCopy } from './planted/copy.ts'

const MATRIX = 'src/main/isolation'

interface Plant {
  readonly file: string
  /** Line and function, to find it. */
  readonly place: string
  readonly start: number
  readonly condition: string
  readonly replacement: string
}

const BUILDER = /\.where\('(?:\w+\.)?user_id', '=', [^()]*(?:\([^()]*\)[^()]*)*\)/
const RAW = /(?<=\bwhere )(?:\w+\.)?user_id = \$\{[^}]*\}| and (?:\w+\.)?user_id = \$\{[^}]*\}/
const CONDITION = new RegExp(`${BUILDER.source}|${RAW.source}`, 'g')
/** Jobs, staff and the command line read over all customers by design. */
const NOT_OF_CUSTOMERS = /\.test\.|testing|seed|demo|\/portal\/|-job\.ts|\/staff\/|src\/admin|src\/cli/

/** What the matrix does not notice, and why removing it shows nothing to another customer, or which test notices. */
const UNNOTICED: Readonly<Record<string, string>> = {
  'src/accounts/asn-queue.ts waitsForStaff': 'of the queue of staff',
}

const plants: readonly Plant[] = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !NOT_OF_CUSTOMERS.test(file))
  .toSorted()
  .flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return [...text.matchAll(CONDITION)].map((match): Plant => {
      const before = text.slice(0, match.index)
      const name = [...before.matchAll(/\b(?:function|const) (\w+)/g)].at(-1)?.[1] ?? ''
      const replacement = match[0].startsWith('.') || match[0].startsWith(' and') ? '' : 'true'
      return { file, place: `${file} ${name}`, start: match.index, condition: match[0], replacement }
    })
  })
const wanted = plants.filter(({ place }) => !(place in UNNOTICED))
const sample = process.env['LONGHAUL_PROVE'] ? wanted : wanted.slice(0, 2)

let copy: TreeCopy
beforeAll(async () => {
  copy = await copyTree()
})
afterAll(() => copy.remove())

test('finds the conditions of the customers’ API, and every exception is one of them', () => {
  expect(plants.length).toBeGreaterThan(90)
  expect(wanted.length).toBeGreaterThanOrEqual(40)
  expect(Object.keys(UNNOTICED).filter((place) => plants.every((plant) => plant.place !== place))).toEqual([])
})

test('the matrix holds where nothing is removed', { timeout: 300_000 }, async () => {
  const { failed, output } = await copy.run([MATRIX])
  expect(failed ? output.slice(-3_000) : '').toBe('')
})

test.each(sample.map((plant) => [`${plant.place}: ${plant.condition}`, plant] as const))(
  'the matrix notices that this is removed: %s',
  { timeout: 300_000 },
  async (_, { file, start, condition, replacement }) => {
    const remove = (text: string) => text.slice(0, start) + replacement + text.slice(start + condition.length)
    const { failed, output } = await copy.runWith(file, remove, [MATRIX])
    // A copy that does not load fails too, and shows nothing.
    expect(failed && output.includes('AssertionError'), output.slice(-2_000)).toBe(true)
  },
)

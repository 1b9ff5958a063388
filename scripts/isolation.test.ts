/**
 * That the isolation matrix notices: each condition on the owner in a query of the customers' API is removed in a copy
 * of the tree, one at a time, and the matrix must fail. `npm run prove` does all of them, `npm test` a few.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '..')
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

let copy: string
beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'longhaul-plants-'))
  for (const part of ['src', 'e2e', 'package.json', 'vitest.config.ts', ...globSync('tsconfig*.json', { cwd: ROOT })])
    await cp(path.join(ROOT, part), path.join(copy, part), { recursive: true })
  for (const part of ['node_modules', 'dist', 'lab']) await symlink(path.join(ROOT, part), path.join(copy, part))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

async function runMatrix(): Promise<{ failed: boolean; output: string }> {
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', MATRIX, '--bail=1', '--reporter=default'], {
    cwd: copy,
    env: { ...process.env, TEST_DATABASE_URL: inject('databaseServer'), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { failed: code !== 0, output }
}

test('finds the conditions of the customers’ API, and every exception is one of them', () => {
  expect(plants.length).toBeGreaterThan(90)
  expect(wanted.length).toBeGreaterThanOrEqual(40)
  expect(Object.keys(UNNOTICED).filter((place) => plants.every((plant) => plant.place !== place))).toEqual([])
})

test('the matrix holds where nothing is removed', { timeout: 300_000 }, async () => {
  const { failed, output } = await runMatrix()
  expect(failed ? output.slice(-3_000) : '').toBe('')
})

test.each(sample.map((plant) => [`${plant.place}: ${plant.condition}`, plant] as const))(
  'the matrix notices that this is removed: %s',
  { timeout: 300_000 },
  async (_, { file, start, condition, replacement }) => {
    const text = readFileSync(path.join(copy, file), 'utf8')
    await writeFile(path.join(copy, file), text.slice(0, start) + replacement + text.slice(start + condition.length))
    try {
      const { failed, output } = await runMatrix()
      // A copy that does not load fails too, and shows nothing.
      expect(failed && output.includes('AssertionError'), output.slice(-2_000)).toBe(true)
    } finally {
      await writeFile(path.join(copy, file), text)
    }
  },
)

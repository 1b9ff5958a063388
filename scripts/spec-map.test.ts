import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { read, ROOT } from './manual/documents.ts'

/** The last cell of a row names the tests of its statement. */
const holders = read('docs/spec-map.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(/(?<!\\)\|/).at(-2)!)
  .filter((cell) => !/^\s*(-+|Tests)\s*$/.test(cell))
  .map((cell) => ({ cell: cell.trim(), names: [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!) }))

const fileOf = (name: string): string =>
  name.includes('/') && !name.startsWith('../')
    ? name
    : path.join('e2e/spec', name.endsWith('.ts') ? name : `${name}.e2e.ts`)

test('every statement of the map names a test', () => {
  expect(holders.length).toBeGreaterThan(50)
  expect(holders.filter(({ names }) => names.length === 0).map(({ cell }) => cell)).toEqual([])
})

test('every test that the map names exists', () => {
  const missing = holders.flatMap(({ names }) => names).filter((name) => !existsSync(path.join(ROOT, fileOf(name))))
  expect([...new Set(missing)]).toEqual([])
})

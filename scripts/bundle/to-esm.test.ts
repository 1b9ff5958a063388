import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import type { Node } from './fold.ts'
import { toEsm } from './to-esm.ts'

const convert = (code: string, absent?: readonly string[]): string =>
  toEsm(code, parseAst(code, { sourceType: 'script' }) as unknown as Node, absent)
const load = (code: string): Promise<Record<string, unknown>> =>
  import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Record<string, unknown>>

test('what is exported once is a constant, what is exported several times the last of them', async () => {
  const code = convert(
    'exports.a = 1;\nexports.now = void 0;\nif (true) exports.now = function () { return exports.a + 1 };',
  )
  expect(code).toContain('const exported_a = 1')
  const { a, now } = await load(code)
  expect([a, (now as () => number)()]).toEqual([1, 2])
})

test('packages are imported as their namespaces', () => {
  const code = convert('var A = require("a"),\n  B = require("b");\nexports.x = A.y;')
  expect(code).toContain('import * as A from "a";import * as B from "b";')
})

test('what is absent cannot be imported, and must have been there', async () => {
  expect(Object.keys(await load(convert('exports.a = 1; exports.b = 2;', ['b'])))).toEqual(['a'])
  expect(() => convert('exports.a = 1;', ['c'])).toThrow('c')
})

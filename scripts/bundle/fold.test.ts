import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { foldFacts, type Node } from './fold.ts'
import { FACTS, type Facts } from './react-dom-subset.ts'

const NONE: Facts = { version: '1', constants: {}, properties: {}, tags: new Set(), bodies: {}, unread: [] }
const VERSION = '\nexports.version = "1";'

const fold = (code: string, facts: Partial<Facts>): string =>
  foldFacts(code + VERSION, parseAst(code + VERSION, { sourceType: 'script' }) as unknown as Node, {
    ...NONE,
    ...facts,
  })
/** What the program leaves in `result`. */
const run = (code: string): unknown => runInNewContext(`var result, exports = {};${code};result`)

test('a variable that never changes is its value, except where a parameter has its name', () => {
  const code = fold(
    'var on = true; on = true; function seen() { return on } function given(on) { return on } result = [seen(), given(7)]',
    { constants: { on: 'false' } },
  )
  expect(run(code)).toEqual([false, 7])
})

test('what is assigned to such a variable is still worked out', () => {
  expect(run(fold('var on, calls = 0; on = ++calls; result = calls', { constants: { on: 'null' } }))).toBe(1)
})

const SWITCH = `function what(fiber) {
  switch (fiber.tag) {
    case 26: var late = 1; return "dropped";
    case 27: return "dropped too";
    case 3: late = 2; return late;
    case 4:
    case 30: return "shared";
    case 5: late = 3;
    case 31: return "fallen into";
    default: return "unknown"
  }
}
result = [26, 27, 3, 4, 30, 5, 31].map((tag) => what({ tag }))`

test('a kind of fibre that is never made is unknown to a switch; what others share or fall into stays', () => {
  const code = fold(SWITCH, { tags: new Set([26, 27, 30, 31]) })
  expect(run(code)).toEqual(['unknown', 'unknown', 2, 'shared', 'unknown', 'fallen into', 'unknown'])
  expect(code).not.toContain('dropped')
})

test('what only a dropped case declared is declared still', () => {
  expect(() => run(`"use strict";${fold(SWITCH, { tags: new Set([26]) })}`)).not.toThrow()
})

test('a comparison with such a kind is settled', () => {
  const code = fold('function f(a) { return [30 === a.tag, 30 !== a.tag, 3 === a.tag] } result = f({ tag: 30 })', {
    tags: new Set([30]),
  })
  expect(run(code)).toEqual([false, true, false])
})

test('what nobody reads is not set, but what the same statement sets besides is', () => {
  const code = fold(
    'function A() {} function B() {} A.prototype.x = B.prototype.x = function () { return 1 }; A.prototype.y = function () {}; result = [new B().x(), A.prototype.x, A.prototype.y]',
    { unread: ['A.prototype.'] },
  )
  expect(run(code)).toEqual([1, undefined, undefined])
})

test('a fact that is met nowhere is an error, and so is another release', () => {
  expect(() => fold('var a', { bodies: { gone: '{}' } })).toThrow('gone')
  expect(() => fold('var a', { version: '2' })).toThrow('not React DOM 2')
})

test('lines stay where they are', () => {
  const code = 'function f() {\n  return 1;\n}\nvar after'
  expect(fold(code, { bodies: { f: '{}' } }).split('\n')[3]).toBe('var after')
})

test('the facts fit the React DOM that is installed', async () => {
  const code = await readFile('node_modules/react-dom/cjs/react-dom-client.production.js', 'utf8')
  const folded = foldFacts(code, parseAst(code, { sourceType: 'script' }) as unknown as Node, FACTS)
  expect(() => parseAst(folded, { sourceType: 'script' })).not.toThrow()
})

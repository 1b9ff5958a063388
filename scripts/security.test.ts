import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { read, ROOT } from './manual/documents.ts'

/** OWASP ASVS 5.0.0: the last requirement of level 1 or 2 in each section. Those of level 3 come after them. */
const LAST = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2
  8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4
  11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1
  16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2
`
const wanted = LAST.trim()
  .split(/\s+/)
  .map((section) => section.split(':'))
  .flatMap(([section, last]) => Array.from({ length: Number(last) }, (_, index) => `${section}.${index + 1}`))

const text = read('docs/security.md')
const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const named = [...text.matchAll(/`([\w./-]+\.(?:test|e2e)\.ts)`(?:: "([^"]+)")?/g)].map(
  ([, file = '', title]) => [/^(e2e|scripts)\//.test(file) ? file : `src/${file}`, title] as const,
)

test('every requirement of ASVS levels 1 and 2 is there once', () => {
  expect(wanted).toHaveLength(253)
  const numbers = rows.flatMap(([, cell = '']) => cell.split(', '))
  expect(numbers.toSorted()).toEqual(wanted.toSorted())
})

test('each names a test, or why it does not apply', () => {
  const without = rows.filter(([, , , held]) => held !== '' && !/\.(test|e2e)\.ts`/.test(held ?? ''))
  expect(without.map(([, number]) => number)).toEqual([])
})

test('every file that is named exists, and has the words of the title', () => {
  expect(named.length).toBeGreaterThan(200)
  const missing = named.filter(
    ([file, title]) =>
      !existsSync(path.join(ROOT, file)) || (title !== undefined && !read(file).replaceAll("\\'", "'").includes(title)),
  )
  expect(missing).toEqual([])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Column } from '../components/DataTable.tsx'
import { fileNameOf, rowsAsCsv } from './export-rows.ts'

type Row = readonly string[]
const columnsOf = (headers: readonly string[]): readonly Column<Row>[] =>
  headers.map((header, index) => ({ id: header, header, cell: () => null, csv: (row) => row[index] }))

/** A parser of RFC 4180, section 2, that shares no code with the writer. */
function parse(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  for (let at = 0; at < text.length;) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') cell += text[at++]
        else break
      }
      at++
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text[at++]
    line.push(cell)
    if (text[at] === ',') at++
    else {
      expect(text.slice(at, at + 2)).toBe('\r\n')
      at += 2
      lines.push(line)
      line = []
    }
  }
  return lines
}

const NUMBER = /^-?\d+(\.\d+)?$/
const FORMULA = /^[=+\-@\t\r]/
const awkward = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ',', '"', "'", '1', '.', 'ä', '雪', ' ') }),
)

test('a parser reads every cell again, and no cell begins a formula', () => {
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain((width) =>
      fc.array(fc.array(awkward, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
    )
  fc.assert(
    fc.property(table, (rows) => {
      const headers = rows[0]!.map((_, index) => `Column ${index}`)
      const [head, ...read] = parse(rowsAsCsv(columnsOf(headers), rows))
      expect(head).toEqual(headers)
      expect(read).toHaveLength(rows.length)
      read.forEach((line, at) => {
        line.forEach((cell, index) => {
          const meant = rows[at]![index]!
          expect([meant, `'${meant}`]).toContain(cell)
          if (!NUMBER.test(cell)) expect(cell).not.toMatch(FORMULA)
          // Text that begins no formula is written unchanged.
          if (!/^[=+\-@\t\r\n＝＋－＠]/.test(meant)) expect(cell).toBe(meant)
        })
      })
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', "'+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['-12.50', '-12.50'],
  ['-7', '-7'],
])('%j is written as %j', (value, cell) => {
  expect(rowsAsCsv(columnsOf(['A']), [[value]])).toBe(`A\r\n${cell}\r\n`)
})

test('only columns with a value are written, missing values are empty, and headers are what the table shows', () => {
  const columns: readonly Column<{ n: number | null }>[] = [
    { id: 'n', header: 'Amount, EUR', cell: () => null, csv: ({ n }) => n },
    { id: 'ok', header: 'Paid', cell: () => null, csv: () => true },
    { id: 'actions', header: 'Actions', cell: () => null },
  ]
  expect(rowsAsCsv(columns, [{ n: 5 }, { n: null }])).toBe('"Amount, EUR",Paid\r\n5,true\r\n,true\r\n')
})

test('the name of the file says what is in it and when it was written', () => {
  expect(fileNameOf('BGP sessions', new Date('2026-11-23T23:48:10Z'))).toBe('bgp-sessions-20261123-2348Z.csv')
})

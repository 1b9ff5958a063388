import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.for([
  ['plain', 'plain'],
  ['a, "b"', '"a, ""b"""'],
  ['two\nlines', '"two\nlines"'],
  ['-12.50', '-12.50'],
  ['-7', '-7'],
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['-A1', "'-A1"],
  ['＝1+1', "'＝1+1"],
  ['\n=1+1', '"\'\n=1+1"'],
  ["-1+1|cmd!'A1'", "'-1+1|cmd!'A1'"],
])('%j is written as %j', ([text, cell]) => {
  expect(csvLine([text!, 'end'])).toBe(`${cell},end\r\n`)
})

import { expect, test } from 'vitest'
import { readAsn, searchPatterns } from './search-words.ts'

test.for([
  ['ann', ['%ann%']],
  ['  Ann  Example ', ['%Ann%', '%Example%']],
  ['li', ['% li%']],
  ['a.b', ['% a.b%']],
  ['50%_\\off', ['%50\\%\\_\\\\off%']],
  ['zo\0ë', ['% zo%', '% ë%']],
] as const)('%j is looked for as %j', ([typed, patterns]) => {
  expect(searchPatterns(typed)).toEqual(patterns)
})

test.for(['', '   ', '%', '@ann -', '...'])('%j has a word without a letter and finds nothing', (typed) => {
  if (typed === '@ann -') expect(searchPatterns('@ann')).toEqual(['%@ann%'])
  expect(searchPatterns(typed)).toEqual([])
})

test('what is typed is bounded before it becomes a query', () => {
  expect(searchPatterns('word '.repeat(50))).toHaveLength(8)
  expect(searchPatterns('x'.repeat(5_000))[0]).toHaveLength(102)
})

test('an ASN is certain with its letters only', () => {
  expect(readAsn('AS500010')).toEqual({ asn: 500_010, certain: true })
  expect(readAsn(' 500010 ')).toEqual({ asn: 500_010, certain: false })
  expect(readAsn('as x')).toBeNull()
})

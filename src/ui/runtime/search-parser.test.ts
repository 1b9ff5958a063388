import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { listSearch } from '../../routes/-list-search.ts'
import { parseSearchValue } from './search-parser.ts'

const parse = parseSearchWith(parseSearchValue)
const stringify = stringifySearchWith(JSON.stringify, parseSearchValue)

test.each(['4', '45', '45.', '45.3', '45.30', '45.30.1', '1e5', '007', '10/8', '2d10:1', 'true', '0x10', 'AS45', '"'])(
  'a search for %j is the same text in a link, typed by hand or made by us',
  (typed) => {
    expect(listSearch(parse(`?search=${encodeURIComponent(typed)}`))).toEqual({ search: typed })
    expect(listSearch(parse(stringify({ search: typed })))).toEqual({ search: typed })
  },
)

test.each(['45.30', '2d10:1', '45'])('?q=%s asks the same as ?search=', (typed) => {
  expect(listSearch(parse(`?q=${encodeURIComponent(typed)}`))).toEqual({ search: typed })
})

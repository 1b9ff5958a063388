import { expect, test } from 'vitest'
import { returnSearch } from './return-path.ts'

test('a redirect that is no text is no redirect', () => {
  expect(returnSearch({ redirect: 4 })).toEqual({})
  expect(returnSearch({ redirect: '/transit', other: 1 })).toEqual({ redirect: '/transit' })
})

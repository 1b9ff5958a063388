import fc from 'fast-check'
import { expect, test } from 'vitest'
import { returnSearch, safeReturnPath } from './return-path.ts'

const ORIGIN = 'https://portal.invalid'

test('a path in the portal is kept with its query and fragment', () => {
  expect(safeReturnPath('/routers/7?tab=metrics#cpu')).toBe('/routers/7?tab=metrics#cpu')
})

test.each([
  'https://elsewhere.example/',
  '//elsewhere.example/login',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  '/.//elsewhere.example',
  'javascript:alert(1)',
  'routers',
  '',
  undefined,
  7,
])('%j leads home instead of where a stranger wants', (wanted) => {
  expect(safeReturnPath(wanted)).toBe('/')
})

test('whatever is asked for, the browser would resolve the answer inside the portal', () => {
  const hostile = fc.array(fc.constantFrom('/', '\\', '\t', '\n', '.', ':', '@', 'a', '%2f', '?', '#', 'https:'), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(hostile, (parts) => {
      const path = safeReturnPath(`/${parts.join('')}`)
      expect(new URL(path, ORIGIN).origin).toBe(ORIGIN)
      expect(path.startsWith('//')).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test('a redirect that is no text is no redirect', () => {
  expect(returnSearch({ redirect: 4 })).toEqual({})
  expect(returnSearch({ redirect: '/transit', other: 1 })).toEqual({ redirect: '/transit' })
})

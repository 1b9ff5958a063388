import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RETURN_PATH_MAX_LENGTH, returnPathToKeep, safeReturnPath } from './return-path.ts'

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
      expect(safeReturnPath(path)).toBe(path)
    }),
    { numRuns: 2000 },
  )
})

test('what is sent along is a path in the portal, and short', () => {
  expect(returnPathToKeep('/routers/7?tab=metrics')).toEqual({ redirect: '/routers/7?tab=metrics' })
  expect(returnPathToKeep('//elsewhere.example')).toEqual({})
  expect(returnPathToKeep('/')).toEqual({})
  expect(returnPathToKeep(`/${'a'.repeat(RETURN_PATH_MAX_LENGTH)}`)).toEqual({})
})

import { expect, test } from 'vitest'
import { covers, scopeOf, SCOPES } from './scope.ts'

test('reading needs the right to read, everything else the right to write', () => {
  expect(scopeOf('routers', { method: 'GET', access: 'verified' })).toBe('routers:read')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    expect(scopeOf('routers', { method, access: 'session' })).toBe('routers:write')
  }
})

test('calls for staff need the scope of staff, whichever slice they belong to', () => {
  expect(scopeOf('transit', { method: 'POST', access: 'admin' })).toBe('staff:write')
})

test('the right to write covers reading the same area, and nothing else covers anything', () => {
  for (const held of SCOPES) {
    for (const needed of SCOPES) {
      const [heldArea, heldVerb] = held.split(':')
      const [neededArea, neededVerb] = needed.split(':')
      const expected = heldArea === neededArea && (heldVerb === neededVerb || heldVerb === 'write')
      expect(covers([held], needed), `${held} for ${needed}`).toBe(expected)
    }
  }
  expect(covers([], 'account:read')).toBe(false)
})

import { afterEach, expect, test, vi } from 'vitest'
import { createStoredFlag } from './stored-flag.ts'

afterEach(() => vi.unstubAllGlobals())

function flagIn(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', storage)
  return createStoredFlag('bar')
}

test('a flag holds for the page when the storage takes nothing', () => {
  const full = (): never => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  const flag = flagIn({ getItem: () => null, setItem: full, removeItem: full })
  flag.set(true)
  expect(flag.current()).toBe(true)
  flag.set(false)
  expect(flag.current()).toBe(false)
})

test('a flag is what the storage says once it takes it', () => {
  const kept = new Map<string, string>()
  const flag = flagIn({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  })
  flag.set(true)
  expect([kept.get('bar'), flag.current()]).toEqual(['on', true])
})

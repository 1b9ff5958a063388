import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestLogEntry } from '../request-log-entry.ts'
import { clearProfiles } from './profile-keys.ts'
import { asProfile, readProfiles, storeProfile } from './profile-storage.ts'

/** The parts of session storage that are used, with a size limit. */
class Storage {
  [key: string]: unknown
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null
  }
  setItem(key: string, value: string): void {
    if (value.length > 10_000) throw new DOMException('full', 'QuotaExceededError')
    this[key] = value
  }
  removeItem(key: string): void {
    delete this[key]
  }
}

beforeEach(() => vi.stubGlobal('sessionStorage', new Storage()))
afterEach(() => vi.unstubAllGlobals())

const entry = (id: string, second: number, path = '/api/user'): RequestLogEntry => ({
  id,
  request_method: 'GET',
  request_path: path,
  duration_milliseconds: 1,
  started_at: `2026-03-01T00:00:${String(second).padStart(2, '0')}.000Z`,
  sql_count: 0,
  sql_timings: [],
  root: { id: 'r', name: 'GET', start_milliseconds: 0, duration_milliseconds: 1, children: [] },
})

test('what is stored is read back by start time, whatever order it came in', () => {
  for (const second of [9, 1, 5]) storeProfile(entry(`id-${second}`, second))
  expect(readProfiles().map(({ id }) => id)).toEqual(['id-1', 'id-5', 'id-9'])
})

test('a write that does not fit is skipped with a warning, and what was there stays', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  storeProfile(entry('small', 1))
  storeProfile(entry('large', 2, 'x'.repeat(20_000)))
  expect(warn).toHaveBeenCalledOnce()
  expect(readProfiles().map(({ id }) => id)).toEqual(['small'])
})

test('clearing takes our own keys and no one else’s', () => {
  storeProfile(entry('mine', 1))
  sessionStorage.setItem('theirs', 'x')
  clearProfiles()
  expect(readProfiles()).toEqual([])
  expect(sessionStorage.getItem('theirs')).toBe('x')
})

test('what another release or a visitor wrote there is ignored', () => {
  for (const [index, text] of ['', '{', 'null', '7', '[]', '{"id":"a"}'].entries())
    sessionStorage.setItem(`staff-tools:profile:${index}`, text)
  expect(readProfiles()).toEqual([])
  expect(asProfile({ ...entry('a', 1), root: null })).toBeNull()
})

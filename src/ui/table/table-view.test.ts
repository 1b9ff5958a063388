import { afterEach, expect, test, vi } from 'vitest'
import { readTableView, writeTableView } from './table-view.ts'

const DEFAULT = { hidden: [], compact: false }
const storageOf = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
  removeItem: (key: string) => void kept.delete(key),
})

afterEach(() => vi.unstubAllGlobals())

test('the view of a table is found again, and each table has its own', () => {
  vi.stubGlobal('localStorage', storageOf(new Map()))
  writeTableView('users', { hidden: ['email'], compact: true }, [])
  expect(readTableView('users', [])).toEqual({ hidden: ['email'], compact: true })
  expect(readTableView('prefixes', [])).toEqual(DEFAULT)
})

test('a view without a choice leaves nothing in storage', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', storageOf(kept))
  writeTableView('users', { hidden: ['email'], compact: false }, [])
  writeTableView('users', DEFAULT, [])
  expect(kept.size).toBe(0)
})

test.each(['', 'no JSON', 'null', '7', '{"hidden":"email","compact":1}', '{"hidden":[7,null]}'])(
  'what someone else wrote, %j, is read as no choice',
  (text) => {
    vi.stubGlobal('localStorage', storageOf(new Map([['longhaul.table.users', text]])))
    expect(readTableView('users', [])).toEqual(DEFAULT)
  },
)

test('a column that is hidden by default stays shown once the reader has shown it', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', storageOf(kept))
  expect(readTableView('users', ['asn'])).toEqual({ hidden: ['asn'], compact: false })
  writeTableView('users', DEFAULT, ['asn'])
  expect(readTableView('users', ['asn'])).toEqual(DEFAULT)
  writeTableView('users', { hidden: ['asn'], compact: false }, ['asn'])
  expect(kept.size).toBe(0)
})

test('a storage that is full or closed breaks nothing', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  expect(() => writeTableView('users', { hidden: ['email'], compact: true }, [])).not.toThrow()
  expect(readTableView('users', [])).toEqual(DEFAULT)
})

test('without any storage nothing is chosen', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(readTableView('users', [])).toEqual(DEFAULT)
})

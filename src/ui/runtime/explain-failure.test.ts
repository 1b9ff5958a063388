import { expect, test } from 'vitest'
import { capitalize } from './explain-failure.ts'

test.each([
  ['is required', 'Is required'],
  ['host bits are set', 'Host bits are set'],
  ['e-mail: not an address', 'E-mail: not an address'],
  ['taken', 'Taken'],
  ['', ''],
])('%j begins with a capital', (text, sentence) => {
  expect(capitalize(text)).toBe(sentence)
})

test.each([
  'fe80::/10 may not be announced',
  'fe::/10 is short',
  'ssh-ed25519 is no key',
  'example.net is no address',
  '"abc" has no length',
])('%j begins with something that is written so', (text) => {
  expect(capitalize(text)).toBe(text)
})

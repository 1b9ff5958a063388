import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseChangeEvent } from './change-events.ts'

test('news name a noun and perhaps which one', () => {
  expect(parseChangeEvent('{"type":"router","id":7}')).toEqual({ type: 'router', id: 7 })
  expect(parseChangeEvent('{"type":"invoice","id":null,"more":1}')).toEqual({ type: 'invoice', id: null })
})

test('what is not news is ignored and never throws', () => {
  for (const text of ['', 'null', '[]', '{"id":3}', '{"type":7}', '{']) expect(parseChangeEvent(text)).toBeNull()
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseChangeEvent(text)))
})

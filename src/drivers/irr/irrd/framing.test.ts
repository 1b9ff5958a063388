import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerReader, type IrrdAnswer } from './framing.ts'

const data = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .map((text): [string, IrrdAnswer] => [
    `A${Buffer.byteLength(text) + 1}\n${text}\nC\n`,
    { kind: 'data', text: `${text}\n` },
  ])
const status = fc.constantFrom<[string, IrrdAnswer]>(
  ['C\n', { kind: 'empty' }],
  ['C\r\n', { kind: 'empty' }],
  ['D\n', { kind: 'missing' }],
  ['E\n', { kind: 'refused', message: '' }],
  ['F no such thing\n', { kind: 'refused', message: 'no such thing' }],
)

const chunksOf = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  )
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end))
}

describe('answers of an IRRd server', () => {
  it('are the same however they are cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(data, status), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat()),
        (answers, cuts) => {
          const reader = new AnswerReader()
          const bytes = Buffer.from(answers.map(([wire]) => wire).join(''))
          expect(chunksOf(bytes, cuts).flatMap((chunk) => reader.push(chunk))).toEqual(
            answers.map(([, answer]) => answer),
          )
        },
      ),
    )
  })

  it('never make the reader do anything but answer or refuse', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        const reader = new AnswerReader()
        try {
          for (const chunk of chunks) reader.push(Buffer.from(chunk))
        } catch (error) {
          expect(error).toMatchObject({ name: 'IrrError', kind: 'protocol' })
        }
      }),
    )
  })

  it.each([
    ['are longer than any answer', 'A99999999\n'],
    ['end elsewhere than they said', 'A3\nAS1 AS2\nC\n'],
    ['never end their line', 'x'.repeat(2000)],
    ['are of another protocol', 'SSH-2.0-OpenSSH_9.2\n'],
  ])('are refused when they %s', (_what, wire) => {
    expect(() => new AnswerReader().push(Buffer.from(wire))).toThrow(expect.objectContaining({ kind: 'protocol' }))
  })
})

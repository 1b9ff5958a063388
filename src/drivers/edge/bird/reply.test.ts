import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReplyFormatError, ReplyReader, type Reply } from './reply.ts'

const read = (text: string, maxSize = 1_000_000): Reply | null => new ReplyReader(maxSize).push(text)

describe('a reply of BIRD', () => {
  test('ends at the line whose code is followed by a space', () => {
    expect(
      read('1000-BIRD 2.0.12\n1011-Router ID is 192.0.2.0\n Hostname is edge\n0013 Daemon is up and running\n'),
    ).toEqual({
      code: 13,
      lines: [
        { code: 1000, text: 'BIRD 2.0.12' },
        { code: 1011, text: 'Router ID is 192.0.2.0' },
        { code: 1011, text: 'Hostname is edge' },
        { code: 13, text: 'Daemon is up and running' },
      ],
      truncated: false,
    })
  })

  test('is not complete before its last line is', () => {
    expect(read('0002-Reading configuration\n0003 Reconfigured')).toBeNull()
  })

  test('leaves out asides, which come at any time', () => {
    expect(read('1007-Table master4:\n+BIRD is reloading\n0000 \n')?.lines).toHaveLength(2)
  })

  test.each(['\n \n', ' orphan\n', '000 short\n', '00001 long\n', 'HTTP/1.1 400 Bad Request\n', '0000_\n'])(
    'is never read into %j',
    (text) => {
      const attempt = (): Reply | null => read(text)
      expect(attempt).toThrow(ReplyFormatError)
    },
  )

  test('a reply that has no end is cut at the size asked for and says so', () => {
    const reply = read('1007-route\n'.repeat(10_000), 1000)
    expect(reply?.truncated).toBe(true)
    expect(reply?.lines.length).toBeLessThan(100)
  })

  test('a reply that is one endless line is refused before it fills the memory', () => {
    const reader = new ReplyReader(1e9)
    const flood = (): void => {
      for (let at = 0; at < 100; at++) reader.push('x'.repeat(10_000))
    }
    expect(flood).toThrow(ReplyFormatError)
  })

  test('reads the same however it was cut into chunks', () => {
    const line = fc.tuple(fc.integer({ min: 1000, max: 9999 }), fc.stringMatching(/^[ -~]{0,30}$/))
    const property = fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(200)), (lines, cuts) => {
      const text = [...lines.map(([code, rest]) => `${code}-${rest}`), '0000 '].join('\n') + '\n'
      const reader = new ReplyReader(1_000_000)
      const edges = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
      const replies = edges.slice(1).map((end, at) => reader.push(text.slice(edges[at], end)))
      expect(replies.findLast((reply) => reply !== null)).toEqual(read(text))
      expect(read(text)?.lines).toHaveLength(lines.length + 1)
    })
    fc.assert(property)
  })

  test('whatever else comes is a format error and nothing worse', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      try {
        read(text)
      } catch (error) {
        expect(error).toBeInstanceOf(ReplyFormatError)
      }
    })
    fc.assert(property, { numRuns: 1000 })
  })
})

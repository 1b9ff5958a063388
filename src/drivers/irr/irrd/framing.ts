/**
 * Parses the answers of an IRRd whois server: `A<length>\n<data>C\n` (the length includes the data's own final line
 * break), `C` done, `D` no such key, `E` several keys, `F <message>` refused.
 */
import { IrrError } from '../index.ts'

export type IrrdAnswer =
  | { readonly kind: 'data'; readonly text: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * A large AS-SET expands to some hundred kilobytes; megabytes of routes for one prefix are an attack, not an answer.
 */
const MAX_DATA = 8 * 1024 * 1024
const MAX_LINE = 1024

/** Splits a byte stream into answers, however it is chunked. Throws {@link IrrError} on anything else. */
export class AnswerReader {
  #rest: Buffer = Buffer.alloc(0)
  /** The chunks of a long answer, kept separate so that each is copied once. */
  #parts: Buffer[] = []
  #missing = 0

  push(chunk: Buffer): IrrdAnswer[] {
    const answers: IrrdAnswer[] = []
    let bytes = chunk
    for (;;) {
      if (this.#missing > 0) {
        const part = bytes.subarray(0, this.#missing)
        this.#parts.push(part)
        this.#missing -= part.length
        bytes = bytes.subarray(part.length)
        if (this.#missing > 0) return answers
        answers.push({ kind: 'data', text: dataOf(Buffer.concat(this.#parts)) })
        this.#parts = []
      }
      bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes
      this.#rest = Buffer.alloc(0)
      const end = bytes.indexOf(0x0a)
      if ((end < 0 ? bytes.length : end) > MAX_LINE)
        throw new IrrError('protocol', 'The registry sent an endless line.')
      if (end < 0) {
        this.#rest = bytes
        return answers
      }
      const line = bytes.toString('latin1', 0, end).replace(/\r$/, '')
      bytes = bytes.subarray(end + 1)
      const length = /^A(\d{1,9})$/.exec(line)?.[1]
      if (length === undefined) answers.push(statusOf(line))
      else this.#missing = dataLength(Number(length))
    }
  }
}

/** The data and the `C` line after it are read together. */
function dataLength(length: number): number {
  if (length > MAX_DATA) throw new IrrError('protocol', `The registry announced an answer of ${length} bytes.`)
  return length + 2
}

function dataOf(bytes: Buffer): string {
  if (bytes.toString('latin1', bytes.length - 2) !== 'C\n')
    throw new IrrError('protocol', "The registry's answer does not end where it said.")
  return bytes.toString('utf8', 0, bytes.length - 2)
}

function statusOf(line: string): IrrdAnswer {
  if (line === 'C') return { kind: 'empty' }
  if (line === 'D') return { kind: 'missing' }
  if (/^[EF](?: |$)/.test(line)) return { kind: 'refused', message: line.slice(2, 202) }
  throw new IrrError('protocol', 'The registry does not speak the IRRd protocol.')
}

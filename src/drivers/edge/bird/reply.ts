/**
 * BIRD's replies on its control socket: lines of `dddd-text` (more follow) or `dddd text` (the last of a reply). A line
 * that starts with a space continues under the code before it; one that starts with `+` is asynchronous output.
 */
export interface ReplyLine {
  readonly code: number
  readonly text: string
}

export interface Reply {
  /** The code of the last line: 0xxx and 1xxx succeeded, 8xxx failed, 9xxx was not understood. */
  readonly code: number
  readonly lines: readonly ReplyLine[]
  /** The reply was longer than the limit; the rest was not read. */
  readonly truncated: boolean
}

/** No line of BIRD's is nearly this long; a peer that sends one is not BIRD. */
const MAX_LINE = 65_536

export class ReplyFormatError extends Error {
  override readonly name = 'ReplyFormatError'
}

/** Splits the byte stream into replies, however it was chunked. */
export class ReplyReader {
  #rest = ''
  #lines: ReplyLine[] = []
  #size = 0
  readonly #maxSize: number

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Returns the first complete reply, or null while more is to come. Use a new reader for the next reply. */
  push(chunk: string): Reply | null {
    this.#rest += chunk
    let start = 0
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n', start)) {
      const done = this.#line(this.#rest.slice(start, this.#rest[end - 1] === '\r' ? end - 1 : end))
      start = end + 1
      if (done) return done
    }
    this.#rest = this.#rest.slice(start)
    if (this.#rest.length > MAX_LINE) throw new ReplyFormatError('a line has no end')
    return null
  }

  #line(line: string): Reply | null {
    this.#size += line.length + 1
    if (line.length > MAX_LINE) throw new ReplyFormatError('a line is too long')
    if (this.#size > this.#maxSize) return { code: this.#lastCode(), lines: this.#lines, truncated: true }
    if (line.startsWith('+') || line === '') return null
    if (line.startsWith(' ')) {
      this.#lines.push({ code: this.#lastCode(), text: line.slice(1) })
      return null
    }
    const match = /^(\d{4})([ -])(.*)$/.exec(line)
    if (!match) throw new ReplyFormatError(`"${line.slice(0, 60)}" is not a line of BIRD's control protocol`)
    const code = Number(match[1])
    this.#lines.push({ code, text: match[3]! })
    return match[2] === ' ' ? { code, lines: this.#lines, truncated: false } : null
  }

  #lastCode(): number {
    const last = this.#lines.at(-1)
    if (!last) throw new ReplyFormatError('the first line carries no code')
    return last.code
  }
}

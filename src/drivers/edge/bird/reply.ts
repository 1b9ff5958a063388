/**
 * What BIRD says on its control socket: lines of `dddd-text` (more to come) or `dddd text` (the last of a reply); a
 * line that starts with a space carries on under the code before it, one that starts with `+` is an aside.
 */
export interface ReplyLine {
  readonly code: number
  readonly text: string
}

export interface Reply {
  /** Of the last line: 0xxx and 1xxx say yes, 8xxx could not, 9xxx did not understand. */
  readonly code: number
  readonly lines: readonly ReplyLine[]
  /** The reply was longer than asked for; the rest was not read. */
  readonly truncated: boolean
}

/** No line of BIRD's is near this long; a peer that sends one is not BIRD. */
const MAX_LINE = 65_536

export class ReplyFormatError extends Error {
  override readonly name = 'ReplyFormatError'
}

/** Cuts the byte stream into replies, however it was chunked. */
export class ReplyReader {
  #rest = ''
  #lines: ReplyLine[] = []
  #size = 0
  readonly #maxSize: number

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Returns the first complete reply, or null while more is to come. Once one was returned, read with a new reader. */
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

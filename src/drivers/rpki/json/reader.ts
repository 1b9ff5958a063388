/**
 * Parses a JSON text (RFC 8259) from chunks of bytes, one item at a time: an export of 100 MB is never in memory as a
 * whole. It parses only the common values itself: whole numbers, and names and strings of ASCII without escapes. It
 * passes every other value to JSON.parse, which thereby decides what is valid JSON. Invalid JSON throws a SyntaxError.
 */

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** More than a 32-bit number has; JSON.parse handles longer ones. */
const MAX_DIGITS = 10

/** A name to look for among an object's members. */
export interface KnownName<Name extends string = string> {
  readonly text: Name
  readonly bytes: Uint8Array
}

export const knownNames = <Name extends string>(...names: Name[]): readonly KnownName<Name>[] =>
  names.map((text) => ({ text, bytes: new TextEncoder().encode(text) }))

export class JsonReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #longest: number
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #bytes: Uint8Array = new Uint8Array(0)
  #at = 0
  #ended = false

  /**
   * `longest` is the maximum size of an item in bytes: that many are buffered when it is read, or all that are left.
   */
  constructor(chunks: AsyncIterable<Uint8Array>, longest: number) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#longest = longest
  }

  async nextKind(): Promise<'list' | 'object' | 'other'> {
    await this.#fill()
    const byte = this.#peek()
    return byte === OPEN_LIST ? 'list' : byte === OPEN_OBJECT ? 'object' : 'other'
  }

  /** Reads a list of any length. `read` has to read one item. */
  async eachItem(read: () => void): Promise<void> {
    for (let more = this.#enter(OPEN_LIST, CLOSE_LIST); more; more = this.#goOn(CLOSE_LIST)) {
      if (this.#bytes.length - this.#at < this.#longest) await this.#fill()
      this.bounded(read)
    }
    await this.#fill()
  }

  /** Reads an object whose members may be lists of any length. `read` has to read one value. */
  async eachMember(read: (name: string) => Promise<void>): Promise<void> {
    for (let more = this.#enter(OPEN_OBJECT, CLOSE_OBJECT); more; more = this.#goOn(CLOSE_OBJECT)) {
      await this.#fill()
      const name = this.#name()
      await this.#fill()
      await read(name)
      await this.#fill()
    }
  }

  /** Rejects anything but white space after the value. */
  async end(): Promise<void> {
    while (this.#peek() === undefined && !this.#ended) await this.#fill()
    if (this.#at < this.#bytes.length) throw new SyntaxError('there is more behind the value')
  }

  /** What `read` reads must not be longer than an item may be. */
  bounded(read: () => void): void {
    const start = this.#at
    read()
    if (this.#at - start > this.#longest) throw this.#tooLong()
  }

  // Within an item nothing is awaited: the methods below are called a million times.

  /**
   * Enters an object and returns whether it has a member. Returns null, and reads nothing, if the value is not an
   * object.
   */
  enterObject(): boolean | null {
    return this.#peek() === OPEN_OBJECT ? this.#enter(OPEN_OBJECT, CLOSE_OBJECT) : null
  }

  /** Moves past a member's value and returns whether there is another. */
  nextMember(): boolean {
    return this.#goOn(CLOSE_OBJECT)
  }

  /** Returns which of these is the member's name; null for any other. */
  nameAmong<Name extends string>(known: readonly KnownName<Name>[]): Name | null {
    const end = this.#endOfPlainString()
    if (end < 0) {
      const name = this.#name()
      return known.find(({ text }) => text === name)?.text ?? null
    }
    const start = this.#at
    this.#at = end
    this.#take(COLON)
    for (const { text, bytes } of known) if (this.#isAt(start + 1, end - 1, bytes)) return text
    return null
  }

  /** Returns null, and reads nothing, unless it is written in at most ten digits. */
  wholeNumber(): number | null {
    let byte = this.#peek()
    let at = this.#at
    let number = 0
    for (; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = this.#bytes[++at])
      number = number * 10 + byte - 0x30
    const digits = at - this.#at
    if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && this.#bytes[this.#at] === 0x30)) return null
    if (byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_LIST && !isSpace(byte)) return null
    this.#at = at
    return number
  }

  /**
   * Passes a string of ASCII without escapes to `read`, as bytes. Returns null, and reads nothing, for any other value,
   * and if `read` returns null.
   */
  plainString<Result>(read: (bytes: Uint8Array, start: number, end: number) => Result | null): Result | null {
    const end = this.#endOfPlainString()
    const result = end < 0 ? null : read(this.#bytes, this.#at + 1, end - 1)
    if (result !== null) this.#at = end
    return result
  }

  skip(): void {
    const end = this.#endOfPlainString()
    if (end >= 0) this.#at = end
    else if (this.wholeNumber() === null) this.value()
  }

  value(): unknown {
    this.#peek()
    const start = this.#at
    this.#at = this.#endOfValue()
    try {
      return JSON.parse(this.#decoder.decode(this.#bytes.subarray(start, this.#at)))
    } catch {
      throw new SyntaxError('a value is damaged')
    }
  }

  /** Returns the position after the closing quote; negative if there is no such string. */
  #endOfPlainString(): number {
    if (this.#peek() !== QUOTE) return -1
    const bytes = this.#bytes
    for (let at = this.#at + 1; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) return at + 1
      if (byte < 0x20 || byte === BACKSLASH || byte >= 0x80) return -1
    }
    return -1
  }

  /** Looks only at brackets and quotes; whether the text in between is valid JSON is not checked. */
  #endOfValue(): number {
    const bytes = this.#bytes
    let depth = 0
    for (let at = this.#at; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
        if (depth === 0 && at < bytes.length) return at + 1
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (depth === 0) return at
        depth--
        if (depth === 0) return at + 1
      } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return at
    }
    if (!this.#ended) throw this.#tooLong()
    return bytes.length
  }

  #isAt(start: number, end: number, expected: Uint8Array): boolean {
    if (end - start !== expected.length) return false
    for (let at = 0; at < expected.length; at++) if (this.#bytes[start + at] !== expected[at]) return false
    return true
  }

  #name(): string {
    const name = this.value()
    if (typeof name !== 'string') throw new SyntaxError('a name is expected')
    this.#take(COLON)
    return name
  }

  #enter(open: number, close: number): boolean {
    this.#take(open)
    if (this.#peek() !== close) return true
    this.#at++
    return false
  }

  #goOn(close: number): boolean {
    const byte = this.#peek()
    if (byte !== COMMA && byte !== close) throw this.#unexpected()
    this.#at++
    return byte === COMMA
  }

  #take(expected: number): void {
    if (this.#peek() !== expected) throw this.#unexpected()
    this.#at++
  }

  /** Returns the next byte that is not white space; undefined if none is buffered. */
  #peek(): number | undefined {
    const bytes = this.#bytes
    let at = this.#at
    while (at < bytes.length && isSpace(bytes[at]!)) at++
    this.#at = at
    return bytes[at]
  }

  async #fill(): Promise<void> {
    let held = this.#bytes.length - this.#at
    if (this.#ended || held >= this.#longest) return
    const parts = [this.#bytes.subarray(this.#at)]
    // Buffers more than one item, so that few bytes are copied again.
    while (held < 4 * this.#longest) {
      const { value, done } = await this.#chunks.next()
      if (done) {
        this.#ended = true
        break
      }
      parts.push(value)
      held += value.length
    }
    this.#bytes = Buffer.concat(parts, held)
    this.#at = 0
  }

  #unexpected(): Error {
    return this.#at === this.#bytes.length && !this.#ended ? this.#tooLong() : new SyntaxError('a value is damaged')
  }

  #tooLong(): Error {
    return new Error(`a value of the export is longer than ${this.#longest} bytes`)
  }
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

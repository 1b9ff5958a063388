/**
 * XDR (RFC 4506), as far as libvirt uses it: big endian, everything padded to four bytes. The daemon may have another
 * version, so every length is checked before it is used.
 */

/** The longest string and array that libvirt's protocol allows (REMOTE_STRING_MAX, and its list limits rounded up). */
const STRING_LIMIT = 4 << 20
const ARRAY_LIMIT = 65_536

export class XdrError extends Error {
  override readonly name = 'XdrError'
}

export class XdrWriter {
  readonly #parts: Buffer[] = []

  int(value: number): this {
    const part = Buffer.allocUnsafe(4)
    part.writeInt32BE(value | 0)
    return this.#add(part)
  }

  uint(value: number): this {
    const part = Buffer.allocUnsafe(4)
    part.writeUInt32BE(value)
    return this.#add(part)
  }

  uhyper(value: bigint): this {
    const part = Buffer.allocUnsafe(8)
    part.writeBigUInt64BE(value)
    return this.#add(part)
  }

  string(value: string): this {
    const bytes = Buffer.from(value)
    if (bytes.length > STRING_LIMIT) throw new XdrError(`a string of ${bytes.length} bytes is more than libvirt takes`)
    return this.uint(bytes.length).opaque(bytes)
  }

  /** A string that may be absent. */
  optional(value: string | null): this {
    return value === null ? this.uint(0) : this.uint(1).string(value)
  }

  /** Bytes whose length both sides know. */
  opaque(bytes: Buffer): this {
    return this.#add(bytes).#add(Buffer.alloc((4 - (bytes.length % 4)) % 4))
  }

  array<T>(items: readonly T[], write: (item: T) => void): this {
    this.uint(items.length)
    for (const item of items) write(item)
    return this
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts)
  }

  #add(part: Buffer): this {
    this.#parts.push(part)
    return this
  }
}

export class XdrReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  int(): number {
    return this.#take(4).readInt32BE()
  }

  uint(): number {
    return this.#take(4).readUInt32BE()
  }

  hyper(): bigint {
    return this.#take(8).readBigInt64BE()
  }

  uhyper(): bigint {
    return this.#take(8).readBigUInt64BE()
  }

  double(): number {
    return this.#take(8).readDoubleBE()
  }

  string(): string {
    const length = this.uint()
    if (length > STRING_LIMIT) throw new XdrError(`a string of ${length} bytes is more than the protocol allows`)
    return this.opaque(length).toString('utf8')
  }

  optional(): string | null {
    return this.uint() === 0 ? null : this.string()
  }

  opaque(length: number): Buffer {
    const bytes = this.#take(length)
    this.#take((4 - (length % 4)) % 4)
    return bytes
  }

  array<T>(read: () => T): T[] {
    const length = this.uint()
    if (length > ARRAY_LIMIT) throw new XdrError(`a list of ${length} items is more than the protocol allows`)
    return Array.from({ length }, read)
  }

  #take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new XdrError('the message ends too early')
    const part = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return part
  }
}

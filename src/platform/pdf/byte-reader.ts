/** Reads bytes in order. */
export class ByteReader {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  uint8(): number {
    return this.bytes.readUInt8(this.at++)
  }

  uint16(): number {
    this.at += 2
    return this.bytes.readUInt16BE(this.at - 2)
  }

  take(length: number): Buffer {
    const end = this.at + length
    if (end > this.bytes.length) throw new Error('a face ends before its time')
    return this.bytes.subarray(this.at, (this.at = end))
  }

  /** 255UInt16 (W3C WOFF2 section 6.1.1). */
  packed(): number {
    const code = this.uint8()
    if (code === 253) return this.uint16()
    if (code === 255) return this.uint8() + 253
    return code === 254 ? this.uint8() + 506 : code
  }
}

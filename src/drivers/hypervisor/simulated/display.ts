import { Duplex } from 'node:stream'
import { paintText } from './picture.ts'

const WIDTH = 640
const HEIGHT = 200
const NAME = 'simulated'

/**
 * The client's messages by their first byte (RFC 6143 section 7.5), with their length or how to get it from their head.
 */
const LENGTHS: ReadonlyMap<number, (head: Buffer) => number> = new Map<number, (head: Buffer) => number>([
  [0, () => 20],
  [2, (head) => (head.length < 4 ? 4 : 4 + 4 * head.readUInt16BE(2))],
  [3, () => 10],
  [4, () => 8],
  [5, () => 6],
  [6, (head) => (head.length < 8 ? 8 : 8 + head.readUInt32BE(4))],
])
const SET_PIXEL_FORMAT = 0
const UPDATE_REQUEST = 3
const MESSAGE_LIMIT = 1 << 16

/** A display with one picture: RFB 3.8 (RFC 6143) without authentication, true color, 32 bits, raw encoding. */
export class SimulatedDisplay extends Duplex {
  readonly #picture = paintText('SIMULATED', WIDTH, HEIGHT)
  #pending = Buffer.alloc(0)
  #step: 'version' | 'security' | 'init' | 'messages' = 'version'
  #shifts = { red: 16, green: 8, blue: 0 }

  constructor() {
    super({ allowHalfOpen: false })
    this.push('RFB 003.008\n')
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#pending = Buffer.concat([this.#pending, chunk])
    try {
      while (this.#advance());
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Takes one message from the input. Returns false if there is no complete one. */
  #advance(): boolean {
    switch (this.#step) {
      case 'version':
        return this.#take(12, 'security', () => Buffer.from([1, 1]))
      case 'security':
        return this.#take(1, 'init', () => Buffer.alloc(4))
      case 'init':
        return this.#take(1, 'messages', serverInit)
      case 'messages':
        return this.#takeMessage()
    }
  }

  #take(length: number, next: 'security' | 'init' | 'messages', answer: () => Buffer): boolean {
    if (this.#cut(length) === null) return false
    this.#step = next
    this.push(answer())
    return true
  }

  #takeMessage(): boolean {
    const type = this.#pending[0]
    if (type === undefined) return false
    const length = LENGTHS.get(type)?.(this.#pending)
    if (length === undefined || length > MESSAGE_LIMIT) throw new Error('not a message of RFB')
    const message = this.#cut(length)
    if (message === null) return false
    // Incremental requests wait for a change, and this picture never changes.
    if (type === UPDATE_REQUEST && message[1] === 0) this.push(this.#frame())
    if (type === SET_PIXEL_FORMAT) {
      if (message[4] !== 32 || message[7] === 0) throw new Error('this display has 32-bit true colour only')
      this.#shifts = { red: message[14]!, green: message[15]!, blue: message[16]! }
    }
    return true
  }

  #cut(length: number): Buffer | null {
    if (this.#pending.length < length) return null
    const message = this.#pending.subarray(0, length)
    this.#pending = this.#pending.subarray(length)
    return message
  }

  #frame(): Buffer {
    const header = Buffer.alloc(16)
    header.writeUInt16BE(1, 2)
    header.writeUInt16BE(WIDTH, 8)
    header.writeUInt16BE(HEIGHT, 10)
    const pixels = Buffer.alloc(WIDTH * HEIGHT * 4)
    const { red, green, blue } = this.#shifts
    const [ink, paper] = [[226, 232, 240] as const, [15, 23, 42] as const].map(
      ([r, g, b]) => ((r << red) | (g << green) | (b << blue)) >>> 0,
    )
    for (let at = 0; at < this.#picture.length; at += 1)
      pixels.writeUInt32LE(this.#picture[at] === 1 ? ink! : paper!, at * 4)
    return Buffer.concat([header, pixels])
  }
}

function serverInit(): Buffer {
  const head = Buffer.alloc(24)
  head.writeUInt16BE(WIDTH, 0)
  head.writeUInt16BE(HEIGHT, 2)
  // 32 bits, depth 24, little endian, true color, eight bits each of red, green and blue.
  head.set([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0], 4)
  head.writeUInt32BE(NAME.length, 20)
  return Buffer.concat([head, Buffer.from(NAME)])
}

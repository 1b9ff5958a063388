/** One message of libvirt's RPC: a length, six numbers, a body. */

export const PROGRAM = { remote: 0x20008086, qemu: 0x20008087, keepalive: 0x6b656570 } as const

export const FRAME_TYPE = { call: 0, reply: 1, message: 2, stream: 3 } as const

export const FRAME_STATUS = { ok: 0, error: 1, continue: 2 } as const

export interface Frame {
  readonly program: number
  readonly procedure: number
  readonly type: number
  readonly serial: number
  readonly status: number
  readonly body: Buffer
}

const HEADER = 28
const VERSION = 1
/** libvirt's VIR_NET_MESSAGE_MAX and the length field itself. */
const FRAME_LIMIT = (32 << 20) + 4

export function encodeFrame(frame: Frame): Buffer {
  const header = Buffer.allocUnsafe(HEADER)
  header.writeUInt32BE(HEADER + frame.body.length, 0)
  header.writeUInt32BE(frame.program, 4)
  header.writeUInt32BE(VERSION, 8)
  header.writeInt32BE(frame.procedure, 12)
  header.writeInt32BE(frame.type, 16)
  header.writeUInt32BE(frame.serial, 20)
  header.writeInt32BE(frame.status, 24)
  return Buffer.concat([header, frame.body])
}

/**
 * Splits a byte stream into frames. Throws on a length that libvirt never sends: the rest of the stream cannot be
 * trusted.
 */
export class FrameSplitter {
  #pending: Buffer[] = []
  #size = 0

  push(chunk: Buffer): Frame[] {
    this.#pending.push(chunk)
    this.#size += chunk.length
    const frames: Frame[] = []
    while (this.#size >= HEADER) {
      const length = this.#peekLength()
      if (this.#size < length) break
      const all = this.#joined()
      frames.push(decodeFrame(all.subarray(0, length)))
      this.#pending = [all.subarray(length)]
      this.#size -= length
    }
    return frames
  }

  #peekLength(): number {
    const first = this.#pending[0]!
    const length = (first.length >= 4 ? first : this.#joined()).readUInt32BE(0)
    if (length < HEADER || length > FRAME_LIMIT) throw new Error(`a frame of ${length} bytes is not libvirt's protocol`)
    return length
  }

  #joined(): Buffer {
    if (this.#pending.length > 1) this.#pending = [Buffer.concat(this.#pending)]
    return this.#pending[0]!
  }
}

function decodeFrame(bytes: Buffer): Frame {
  return {
    program: bytes.readUInt32BE(4),
    procedure: bytes.readInt32BE(12),
    type: bytes.readInt32BE(16),
    serial: bytes.readUInt32BE(20),
    status: bytes.readInt32BE(24),
    body: bytes.subarray(HEADER),
  }
}

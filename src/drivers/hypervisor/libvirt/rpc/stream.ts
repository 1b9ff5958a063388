import { Duplex } from 'node:stream'
import { FRAME_STATUS } from './frame.ts'

/**
 * The largest chunk of a stream that libvirt accepts in one frame (VIR_NET_MESSAGE_LEGACY_PAYLOAD_MAX less its header).
 */
const CHUNK_LIMIT = 262_120

type WriteFrame = (status: number, chunk: Buffer, done: (error?: Error | null) => void) => void

/** The bytes of one libvirt stream. It ends without an error when the far side ends, aborts or is lost. */
export class RpcStream extends Duplex {
  readonly #write: WriteFrame
  readonly #resume: () => void
  #finished = false

  constructor(write: WriteFrame, resume: () => void) {
    super({ allowHalfOpen: false })
    this.#write = write
    this.#resume = resume
  }

  /** Returns false if the reader is behind and no more should be fetched. */
  receive(status: number, body: Buffer): boolean {
    if (status === FRAME_STATUS.continue && body.length > 0) return this.push(body)
    this.finish()
    return true
  }

  finish(): void {
    if (this.#finished) return
    this.#finished = true
    this.push(null)
    // There may be no reader: a console that was taken over must not wait for one.
    setImmediate(() => this.destroy())
  }

  override _read(): void {
    this.#resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#finished) done()
    else if (chunk.length <= CHUNK_LIMIT) this.#write(FRAME_STATUS.continue, chunk, done)
    else {
      const rest = (error?: Error | null) =>
        error ? done(error) : this._write(chunk.subarray(CHUNK_LIMIT), 'binary', done)
      this.#write(FRAME_STATUS.continue, chunk.subarray(0, CHUNK_LIMIT), rest)
    }
  }
}

/** PostgreSQL's COPY over the driver's own connection: whole tables in and out, a piece at a time. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'

/** What the driver tells a query, as far as COPY needs it; its published types leave most of it out. */
interface Wire {
  readonly stream: Writable & { pause(): void; resume(): void }
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  sendCopyFail(reason: string): void
  endCopyFrom(): void
}

abstract class Copy {
  readonly done: Promise<number>
  protected rows = 0
  protected ended = false
  protected readonly settle: PromiseWithResolvers<number>
  private readonly statement: string

  constructor(statement: string) {
    this.statement = statement
    this.settle = Promise.withResolvers()
    this.done = this.settle.promise
    this.done.catch(() => (this.ended = true))
  }

  submit(wire: pg.Connection): void {
    ;(wire as unknown as Wire).query(this.statement)
  }
  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? Number.NaN)
  }
  handleReadyForQuery(): void {
    this.settle.resolve(this.rows)
  }
  handleError(error: Error): void {
    this.settle.reject(error)
  }
}

const PIECE_BYTES = 1 << 20

class CopyOut extends Copy {
  private readonly take: (piece: Buffer) => Promise<void>
  private held: Buffer[] = []
  private size = 0
  private taking: Promise<void> = Promise.resolve()

  constructor(statement: string, take: (piece: Buffer) => Promise<void>) {
    super(statement)
    this.take = take
  }

  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire): void {
    // A copy: the driver reads the next message into the same memory.
    this.held.push(Buffer.from(chunk))
    this.size += chunk.length
    if (this.size >= PIECE_BYTES) this.hand(wire)
  }

  /** The server waits while a piece is taken: a table may be larger than memory. */
  private hand(wire?: Wire): void {
    const piece = Buffer.concat(this.held)
    this.held = []
    this.size = 0
    wire?.stream.pause()
    this.taking = this.taking.then(() => this.take(piece)).finally(() => wire?.stream.resume())
    this.taking.catch((error: Error) => this.settle.reject(error))
  }

  override handleReadyForQuery(): void {
    if (this.size > 0) this.hand()
    this.taking.then(
      () => this.settle.resolve(this.rows),
      () => undefined,
    )
  }
}

class CopyIn extends Copy {
  private readonly pieces: AsyncIterable<Buffer>

  constructor(statement: string, pieces: AsyncIterable<Buffer>) {
    super(statement)
    this.pieces = pieces
  }

  handleCopyInResponse(wire: Wire): void {
    this.pump(wire).catch((error: Error) => {
      wire.sendCopyFail(error.message)
      this.settle.reject(error)
    })
  }

  private async pump(wire: Wire): Promise<void> {
    for await (const piece of this.pieces) {
      if (this.ended) return
      wire.sendCopyFromChunk(piece)
      if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain')
    }
    wire.endCopyFrom()
  }
}

/** Hands the rows over in pieces of about a megabyte, whole rows each; answers how many rows. */
export const copyOut = (
  client: pg.Client,
  statement: string,
  take: (piece: Buffer) => Promise<void>,
): Promise<number> => client.query(new CopyOut(statement, take)).done

/** Answers how many rows went in. */
export const copyIn = (client: pg.Client, statement: string, pieces: AsyncIterable<Buffer>): Promise<number> =>
  client.query(new CopyIn(statement, pieces)).done

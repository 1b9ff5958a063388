import { open } from 'node:fs/promises'
import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import { MAX_REJECTIONS_OF_ONE, MAX_UPSTREAMS, type RejectionCode, type UpstreamRejection } from '../index.ts'
import { OWN_NAME } from './parse-protocols.ts'
import { PROTOCOL_NAME } from './render-customer.ts'

export interface DroppedUpdate {
  readonly at: Date
  readonly rejection: RejectionCode
}

/** The first read goes back this far; later ones read only what was added. */
const FIRST_READ = 1 << 20
/** For one session. A neighbor that sends garbage must not fill our memory. */
const MAX_PREFIXES = 1_000
/** The customer may have withdrawn the route since, which BIRD does not log. */
const FORGET_AFTER_MS = 3_600_000
/** Upstream problems are for staff, who may look the next morning. */
const FORGET_UPSTREAM_AFTER_MS = 86_400_000
/** Names that are not customer sessions. Those without a session in BIRD are evicted. */
const MAX_OTHERS = 2 * MAX_UPSTREAMS
/** An update from an upstream for which no line named a prefix. */
const NO_PREFIX = ''

const LINE = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?) <RMT> ([\w.:-]{1,64}): (.{1,200})$/
const DROPPED = /^Invalid route ([0-9a-f.:]{2,39}\/\d{1,3}) withdrawn$/

/**
 * BIRD's messages for updates that it drops before any of our filters. The last is treated as a withdrawal (RFC 7606).
 */
const REASONS: readonly (readonly [RegExp, RejectionCode])[] = [
  [/^Malformed AS_PATH attribute - AS_CONFED_/, 15],
  [/^Invalid NEXT_HOP attribute - /, 8],
  [/^Route leak detected - /, 16],
  [/^(?:Malformed|Missing|Invalid|Unknown) /, 17],
]

/**
 * Updates that BIRD drops before any filter (RFC 7606, RFC 9234), so that no route remains to carry a reason. They are
 * read from its log, which the operator's `bird.conf` writes to the file in `EDGE_LOG`.
 */
export class DroppedUpdates {
  readonly #path: string
  readonly #bySession = new Map<string, Map<string, DroppedUpdate>>()
  /** The last reason logged for each session, until the lines with its prefixes. */
  readonly #reasons = new Map<string, RejectionCode>()
  #turn: Promise<void> = Promise.resolve()
  #error: string | null = null
  #file: { ino: number; offset: number } | null = null
  #rest = ''

  constructor(path: string) {
    this.#path = path
  }

  /** For one session, since it came up. */
  async of(protocol: string, since: Date, now = new Date()): Promise<ReadonlyMap<string, DroppedUpdate>> {
    await this.#readInTurn()
    const from = Math.max(since.getTime(), now.getTime() - FORGET_AFTER_MS)
    return new Map([...(this.#bySession.get(protocol) ?? [])].filter(([, { at }]) => at.getTime() >= from))
  }

  /** For the operator's own protocols, newest first, and why the log cannot be read. */
  async ofOthers(now = new Date()): Promise<{ rejections: UpstreamRejection[]; logError: string | null }> {
    await this.#readInTurn()
    const from = now.getTime() - FORGET_UPSTREAM_AFTER_MS
    const rejections = [...this.#bySession]
      .filter(([protocol]) => OWN_NAME.test(protocol))
      .flatMap(([upstream, dropped]) =>
        [...dropped].map(([prefix, one]) => ({ upstream, prefix: prefix === NO_PREFIX ? null : prefix, ...one })),
      )
      .filter(({ at }) => at.getTime() >= from)
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    return { rejections, logError: this.#error }
  }

  /** Concurrent reads would count the same lines twice. */
  #readInTurn(): Promise<void> {
    const read = this.#turn.then(() => this.#read())
    this.#turn = read.catch(() => undefined)
    return read
  }

  async #read(): Promise<void> {
    // Without the log only the reasons are missing: what BIRD accepted is still known.
    const file = await open(this.#path, 'r').catch((error: NodeJS.ErrnoException) => {
      this.#error = `BIRD’s log ${this.#path} (EDGE_LOG) cannot be read: ${error.code ?? error.message}.`.slice(0, 300)
      return null
    })
    if (file === null) return
    this.#error = null
    try {
      const { ino, size } = await file.stat()
      // BIRD rotated the log, or it was truncated.
      if (this.#file?.ino !== ino || size < this.#file.offset) {
        this.#file = { ino, offset: Math.max(0, size - FIRST_READ) }
        this.#rest = ''
      }
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(Math.min(size - this.#file.offset, FIRST_READ)),
        position: this.#file.offset,
      })
      this.#file.offset += bytesRead
      const lines = (this.#rest + buffer.toString('latin1', 0, bytesRead)).split('\n')
      this.#rest = lines.pop()!.slice(0, 4096)
      for (const line of lines) this.#line(line)
    } finally {
      await file.close()
    }
  }

  #line(line: string): void {
    const [, time, protocol, text] = LINE.exec(line) ?? []
    if (time === undefined) return
    const isOther = OWN_NAME.test(protocol!)
    if (!isOther && !PROTOCOL_NAME.test(protocol!)) return
    const at = new Date(time.replace(' ', 'T'))
    const prefix = tryParsePrefix(DROPPED.exec(text!)?.[1] ?? '')
    if (!prefix) {
      const reason = REASONS.find(([words]) => words.test(text!))
      if (!reason) return
      this.#reasons.set(protocol!, reason[1])
      if (isOther) this.#keep(protocol!, NO_PREFIX, { at, rejection: reason[1] })
      return
    }
    if (isOther) this.#bySession.get(protocol!)?.delete(NO_PREFIX)
    this.#keep(protocol!, formatPrefix(prefix), { at, rejection: this.#reasons.get(protocol!) ?? 17 })
  }

  #keep(protocol: string, prefix: string, update: DroppedUpdate): void {
    const isOther = OWN_NAME.test(protocol)
    const dropped = this.#bySession.get(protocol) ?? new Map<string, DroppedUpdate>()
    if (isOther) this.#bySession.delete(protocol)
    this.#bySession.set(protocol, dropped)
    dropped.delete(prefix)
    dropped.set(prefix, update)
    if (dropped.size > (isOther ? MAX_REJECTIONS_OF_ONE : MAX_PREFIXES)) dropped.delete(dropped.keys().next().value!)
    const others = isOther ? [...this.#bySession.keys()].filter((name) => OWN_NAME.test(name)) : []
    if (others.length > MAX_OTHERS) this.#forget(others[0]!)
  }

  #forget(protocol: string): void {
    this.#bySession.delete(protocol)
    this.#reasons.delete(protocol)
  }
}

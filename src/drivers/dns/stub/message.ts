/** DNS messages (RFC 1035 section 4), as far as a TXT query needs them. Answers are parsed as hostile input. */
import { DnsError, MAX_RECORDS } from '../index.ts'

export const TXT = 16
const CNAME = 5
const OPT = 41
const IN = 1
/** Fits every path without fragmentation (RFC 9715). */
const UDP_PAYLOAD = 1232

export interface Question {
  readonly id: number
  readonly name: string
  /** Requests an answer even if its signatures are invalid (CD, RFC 4035 section 3.2.2). */
  readonly unchecked: boolean
}

/** Requests recursion and the AD bit (RFC 6840 section 5.7). */
export function encodeQuestion({ id, name, unchecked }: Question): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(0x0100 | 0x0020 | (unchecked ? 0x0010 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(1, 10)
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')])
  const opt = Buffer.alloc(11)
  opt.writeUInt16BE(OPT, 1)
  opt.writeUInt16BE(UDP_PAYLOAD, 3)
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, TXT, 0, IN]), opt])
}

export interface Reply {
  readonly rcode: number
  readonly truncated: boolean
  readonly authentic: boolean
  readonly records: readonly string[]
  readonly alias: boolean
}

/** Returns null for a message that does not answer this query: it may be forged, and the real answer may still come. */
export function readReply(message: Buffer, question: Question): Reply | null {
  try {
    return read(message, question)
  } catch (error) {
    if (error instanceof RangeError)
      throw new DnsError('protocol', 'The resolver’s answer cannot be read.', { cause: error })
    throw error
  }
}

function read(message: Buffer, { id, name }: Question): Reply | null {
  if (message.length < 12 || message.readUInt16BE(0) !== id) return null
  const flags = message.readUInt16BE(2)
  if ((flags & 0xf800) !== 0x8000 || message.readUInt16BE(4) !== 1) return null
  const asked = readName(message, 12)
  if (asked.name !== name || message.readUInt16BE(asked.end) !== TXT || message.readUInt16BE(asked.end + 2) !== IN)
    return null
  const head = { rcode: flags & 0xf, truncated: (flags & 0x0200) !== 0, authentic: (flags & 0x0020) !== 0 }
  if (head.truncated) return { ...head, records: [], alias: false }
  const records: string[] = []
  let alias = false
  let at = asked.end + 4
  for (let left = message.readUInt16BE(6); left > 0; left--) {
    const owner = readName(message, at)
    const [type, kind, size] = [0, 2, 8].map((offset) => message.readUInt16BE(owner.end + offset)) as [
      number,
      number,
      number,
    ]
    const data = message.subarray(owner.end + 10, owner.end + 10 + size)
    if (data.length < size) throw new RangeError('a record ends behind its message')
    at = owner.end + 10 + size
    if (owner.name !== name || kind !== IN) continue
    if (type === CNAME) alias = true
    if (type === TXT && records.length < MAX_RECORDS) records.push(readStrings(data))
  }
  return { ...head, records, alias }
}

function readStrings(data: Buffer): string {
  const strings: Buffer[] = []
  for (let at = 0; at < data.length;) {
    const end = at + 1 + data.readUInt8(at)
    if (end > data.length) throw new RangeError('a string ends behind its record')
    strings.push(data.subarray(at + 1, end))
    at = end
  }
  return Buffer.concat(strings).toString('latin1')
}

/** Returns lower case. Pointers must point backwards, so that a loop of them ends. */
function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let [at, end, before] = [start, -1, start]
  for (;;) {
    const length = message.readUInt8(at)
    if (length === 0) break
    if (length >= 0xc0) {
      const target = message.readUInt16BE(at) & 0x3fff
      if (end < 0) end = at + 2
      if (target >= before) throw new RangeError('a name points ahead')
      at = before = target
      continue
    }
    if (length > 63 || labels.length > 127) throw new RangeError('a label is too long')
    const label = message.subarray(at + 1, at + 1 + length)
    if (label.length < length) throw new RangeError('a label ends behind its message')
    labels.push(label.toString('latin1').toLowerCase())
    at += 1 + length
  }
  return { name: labels.join('.'), end: end < 0 ? at + 1 : end }
}

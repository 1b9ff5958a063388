/** The messages of the RPKI-to-Router protocol, versions 0 (RFC 6810) and 1 (RFC 8210 section 5). */
import type { Family } from '../../../kernel/prefix.ts'
import { wordsPer } from '../vrp-columns.ts'

export type RtrVersion = 0 | 1

export interface PrefixPdu {
  readonly type: 'prefix'
  readonly announce: boolean
  readonly family: Family
  readonly words: readonly number[]
  readonly length: number
  readonly maxLength: number
  readonly asn: number
}

/** Seconds, as a cache of version 1 recommends them. */
export interface RtrTimers {
  readonly refresh: number
  readonly retry: number
  readonly expire: number
}

export type Pdu =
  | { readonly type: 'serial-notify' | 'serial-query'; readonly session: number; readonly serial: number }
  | { readonly type: 'reset-query' | 'cache-reset' }
  | { readonly type: 'cache-response'; readonly session: number }
  | PrefixPdu
  | {
      readonly type: 'end-of-data'
      readonly session: number
      readonly serial: number
      readonly timers: RtrTimers | null
    }
  /** Contains no VRP: skipped. */
  | { readonly type: 'router-key' }
  | { readonly type: 'error'; readonly code: number; readonly text: string }

export const RTR_ERROR = {
  corruptData: 0,
  internalError: 1,
  noDataAvailable: 2,
  invalidRequest: 3,
  unsupportedVersion: 4,
  unsupportedPdu: 5,
  unknownWithdrawal: 6,
  duplicateAnnouncement: 7,
  unexpectedVersion: 8,
} as const

const CODES = {
  'serial-notify': 0,
  'serial-query': 1,
  'reset-query': 2,
  'cache-response': 3,
  'end-of-data': 7,
  'cache-reset': 8,
  'router-key': 9,
  error: 10,
} as const
const IPV4_PREFIX = 4
const IPV6_PREFIX = 6

export function encodePdu(version: RtrVersion, pdu: Pdu): Buffer {
  switch (pdu.type) {
    case 'serial-notify':
    case 'serial-query':
      return frame(version, CODES[pdu.type], pdu.session, uint32(pdu.serial))
    case 'reset-query':
    case 'cache-reset':
    case 'router-key':
      return frame(version, CODES[pdu.type], 0, Buffer.alloc(0))
    case 'cache-response':
      return frame(version, CODES[pdu.type], pdu.session, Buffer.alloc(0))
    case 'prefix': {
      const lengths = Buffer.of(pdu.announce ? 1 : 0, pdu.length, pdu.maxLength, 0)
      const body = Buffer.concat([lengths, ...pdu.words.map(uint32), uint32(pdu.asn)])
      return frame(version, pdu.family === 4 ? IPV4_PREFIX : IPV6_PREFIX, 0, body)
    }
    case 'end-of-data': {
      const timers = version === 1 && pdu.timers ? [pdu.timers.refresh, pdu.timers.retry, pdu.timers.expire] : []
      return frame(version, CODES[pdu.type], pdu.session, Buffer.concat([pdu.serial, ...timers].map(uint32)))
    }
    case 'error': {
      const text = Buffer.from(pdu.text)
      return frame(version, CODES[pdu.type], pdu.code, Buffer.concat([uint32(0), uint32(text.length), text]))
    }
  }
}

function frame(version: number, type: number, field: number, body: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt8(version, 0)
  header.writeUInt8(type, 1)
  header.writeUInt16BE(field, 2)
  header.writeUInt32BE(8 + body.length, 4)
  return Buffer.concat([header, body])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A protocol error by the peer; `code` is reported to it. */
export class RtrError extends Error {
  override readonly name = 'RtrError'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Router keys and error reports vary in length; anything longer than this is neither. */
const MAX_LENGTH = 16_384

/** Splits a byte stream into messages. Use one for each connection. */
export class PduReader {
  #rest: Buffer = Buffer.alloc(0)

  /** Returns the messages that this chunk completes. Throws {@link RtrError}. */
  push(chunk: Buffer): { version: RtrVersion; pdu: Pdu }[] {
    const messages: { version: RtrVersion; pdu: Pdu }[] = []
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= 8) {
      const length = bytes.readUInt32BE(at + 4)
      if (length < 8 || length > MAX_LENGTH) throw new RtrError(RTR_ERROR.corruptData, `a message of ${length} bytes`)
      if (bytes.length - at < length) break
      const message = bytes.subarray(at, at + length)
      at += length
      // The version comes first: in another version everything after it may have another format.
      const version = message.readUInt8(0)
      if (version !== 0 && version !== 1)
        throw new RtrError(RTR_ERROR.unsupportedVersion, `the cache speaks version ${version}`)
      messages.push({ version, pdu: decode(version, message) })
    }
    this.#rest = Buffer.from(bytes.subarray(at))
    return messages
  }
}

function decode(version: RtrVersion, message: Buffer): Pdu {
  const type = message.readUInt8(1)
  const field = message.readUInt16BE(2)
  const expect = (...lengths: number[]) => {
    if (!lengths.includes(message.length))
      throw new RtrError(RTR_ERROR.corruptData, `a message of type ${type} with ${message.length} bytes`)
  }
  switch (type) {
    case CODES['serial-notify']:
    case CODES['serial-query']:
      expect(12)
      return {
        type: type === CODES['serial-notify'] ? 'serial-notify' : 'serial-query',
        session: field,
        serial: message.readUInt32BE(8),
      }
    case CODES['reset-query']:
    case CODES['cache-reset']:
      expect(8)
      return { type: type === CODES['reset-query'] ? 'reset-query' : 'cache-reset' }
    case CODES['cache-response']:
      expect(8)
      return { type: 'cache-response', session: field }
    case IPV4_PREFIX:
      expect(20)
      return decodePrefix(4, message)
    case IPV6_PREFIX:
      expect(32)
      return decodePrefix(6, message)
    case CODES['end-of-data']:
      expect(version === 1 ? 24 : 12)
      return { type: 'end-of-data', session: field, serial: message.readUInt32BE(8), timers: decodeTimers(message) }
    case CODES['router-key']:
      return { type: 'router-key' }
    case CODES.error:
      return { type: 'error', code: field, text: errorText(message) }
    default:
      throw new RtrError(RTR_ERROR.unsupportedPdu, `a message of unknown type ${type}`)
  }
}

function decodePrefix(family: Family, message: Buffer): PrefixPdu {
  const words: number[] = []
  for (let word = 0; word < wordsPer(family); word++) words.push(message.readUInt32BE(12 + word * 4))
  return {
    type: 'prefix',
    announce: (message.readUInt8(8) & 1) === 1,
    family,
    words,
    length: message.readUInt8(9),
    maxLength: message.readUInt8(10),
    asn: message.readUInt32BE(message.length - 4),
  }
}

const decodeTimers = (message: Buffer): RtrTimers | null =>
  message.length === 24
    ? { refresh: message.readUInt32BE(12), retry: message.readUInt32BE(16), expire: message.readUInt32BE(20) }
    : null

/** Returns the text after the copy of the faulty message; empty if the lengths do not add up. */
function errorText(message: Buffer): string {
  if (message.length < 16) return ''
  const copied = message.readUInt32BE(8)
  if (12 + copied + 4 > message.length) return ''
  return message.subarray(16 + copied, 16 + copied + message.readUInt32BE(12 + copied)).toString('utf8')
}

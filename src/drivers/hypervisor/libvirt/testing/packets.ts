/** Ethernet frames, byte by byte: what a guest can send that no correct network stack would. */
import { parseAddress } from '../../../../kernel/prefix.ts'

const ETHERTYPE = { ipv4: 0x0800, arp: 0x0806, ipv6: 0x86dd } as const
export const PROTOCOL = { hopByHop: 0, udp: 17, routing: 43, fragment: 44, icmpv6: 58, destination: 60 } as const
export const ICMPV6 = {
  echo: 128,
  solicitRouter: 133,
  advertiseRouter: 134,
  solicit: 135,
  advertise: 136,
  redirect: 137,
}
export const OPTION = { source: 1, target: 2, nonce: 14 } as const

export const macBytes = (mac: string): Buffer => Buffer.from(mac.replaceAll(':', ''), 'hex')

export function addressBytes(text: string): Buffer {
  const address = parseAddress(text)
  if (address === null) throw new TypeError(`"${text}" is no address`)
  return Buffer.from(address.value.toString(16).padStart(address.family === 4 ? 8 : 32, '0'), 'hex')
}

export interface Ethernet {
  readonly from: string
  readonly to: string
}

const frame = ({ from, to }: Ethernet, type: number, payload: Buffer): Buffer =>
  Buffer.concat([macBytes(to), macBytes(from), uint16(type), payload])

export interface Ipv6 {
  readonly source: string
  readonly destination: string
  /** Neighbor discovery requires 255 (RFC 4861 section 7.1). */
  readonly hopLimit?: number
}

/** `next` is the number of the first header of `payload`. */
export function ipv6Frame(ethernet: Ethernet, header: Ipv6, next: number, payload: Buffer): Buffer {
  const fixed = Buffer.concat([
    Buffer.from([0x60, 0, 0, 0]),
    uint16(payload.length),
    Buffer.from([next, header.hopLimit ?? 255]),
    addressBytes(header.source),
    addressBytes(header.destination),
  ])
  return frame(ethernet, ETHERTYPE.ipv6, Buffer.concat([fixed, payload]))
}

/** Includes the checksum (RFC 4443 section 2.3). */
export function icmpv6({ source, destination }: Ipv6, type: number, body: Buffer): Buffer {
  const message = Buffer.concat([Buffer.from([type, 0, 0, 0]), body])
  return withChecksum(message, 2, pseudoHeader(source, destination, PROTOCOL.icmpv6, message.length))
}

/** The second word of the message: an advertisement's flags, otherwise reserved. Receivers ignore the rest of it. */
export const neighborMessage = (word: number, target: string, options: readonly Buffer[]): Buffer =>
  Buffer.concat([uint32(word), addressBytes(target), ...options])

export const linkOption = (type: number, mac: string): Buffer => Buffer.concat([Buffer.from([type, 1]), macBytes(mac)])
export const nonceOption = (value: number): Buffer =>
  Buffer.concat([Buffer.from([OPTION.nonce, 1, 0, 0]), uint32(value)])

/** A hop-by-hop or destination options header with only padding, 8 bytes for each unit. */
export const optionsHeader = (next: number, units = 1): Buffer =>
  Buffer.concat([Buffer.from([next, units - 1, 1, units * 8 - 4]), Buffer.alloc(units * 8 - 4)])

/** A routing header with no segments left, which is skipped (RFC 8200 section 4.4). */
export const routingHeader = (next: number): Buffer => Buffer.from([next, 0, 253, 0, 0, 0, 0, 0])

export const fragmentHeader = (next: number, offset: number, more: boolean, id: number): Buffer =>
  Buffer.concat([Buffer.from([next, 0]), uint16(offset | (more ? 1 : 0)), uint32(id)])

export function udp({ source, destination }: Ipv6, payload: Buffer): Buffer {
  const message = Buffer.concat([uint16(40_000), uint16(9), uint16(8 + payload.length), uint16(0), payload])
  return withChecksum(message, 6, pseudoHeader(source, destination, PROTOCOL.udp, message.length))
}

export function ipv4UdpFrame(ethernet: Ethernet, source: string, destination: string, payload: Buffer): Buffer {
  // A checksum of zero means none (RFC 768).
  const message = Buffer.concat([uint16(40_000), uint16(9), uint16(8 + payload.length), uint16(0), payload])
  const header = Buffer.concat([
    Buffer.from([0x45, 0]),
    uint16(20 + message.length),
    Buffer.from([0, 0, 0, 0, 64, PROTOCOL.udp, 0, 0]),
    addressBytes(source),
    addressBytes(destination),
  ])
  return frame(ethernet, ETHERTYPE.ipv4, Buffer.concat([withChecksum(header, 10, Buffer.alloc(0)), message]))
}

export interface Arp {
  readonly operation: 1 | 2
  readonly senderMac: string
  readonly sender: string
  readonly targetMac: string
  readonly target: string
}

export const arpFrame = (ethernet: Ethernet, arp: Arp, trailer: Buffer): Buffer =>
  frame(
    ethernet,
    ETHERTYPE.arp,
    Buffer.concat([
      Buffer.from([0, 1, 8, 0, 6, 4]),
      uint16(arp.operation),
      macBytes(arp.senderMac),
      addressBytes(arp.sender),
      macBytes(arp.targetMac),
      addressBytes(arp.target),
      trailer,
    ]),
  )

export const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

const pseudoHeader = (source: string, destination: string, protocol: number, length: number): Buffer =>
  Buffer.concat([addressBytes(source), addressBytes(destination), uint32(length), uint32(protocol)])

/** Computes RFC 1071 over the pseudo-header and the message. */
function withChecksum(message: Buffer, at: number, before: Buffer): Buffer {
  const bytes = Buffer.concat([before, message, Buffer.alloc(message.length % 2)])
  let sum = 0
  for (let index = 0; index < bytes.length; index += 2) sum += bytes.readUInt16BE(index)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  const summed = Buffer.from(message)
  summed.writeUInt16BE(~sum & 0xffff, at)
  return summed
}

/**
 * Sends syslog messages (RFC 5424) to a receiver: over UDP (RFC 5426), TCP (RFC 6587, octet counting) or TLS (RFC
 * 5425).
 */
import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'

export interface SyslogReceiver {
  readonly protocol: 'udp' | 'tcp' | 'tls'
  readonly host: string
  readonly port: number
  /** In PEM, instead of the system's authorities. */
  readonly ca?: string
}

/** Facility 13 (log audit), severity 5 (notice). */
const PRIORITY = 13 * 8 + 5
const WITHIN_MS = 10_000

/** Parses `udp://`, `tcp://` or `tls://` with host and port; returns null for anything else. */
export function parseReceiver(address: string): SyslogReceiver | null {
  const found = /^(udp|tcp|tls):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})\/?$/i.exec(address)
  const [, protocol = '', host = '', port = ''] = found ?? []
  if (!found || Number(port) < 1 || Number(port) > 65_535) return null
  const kind = protocol.toLowerCase() as SyslogReceiver['protocol']
  return { protocol: kind, host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }
}

/** Throws if the message cannot be sent. UDP has no acknowledgment, so a datagram may be lost silently. */
export async function sendToSyslog(receiver: SyslogReceiver, text: string, at: Date): Promise<void> {
  const name =
    hostname()
      .replaceAll(/[^\x21-\x7e]/g, '')
      .slice(0, 255) || '-'
  const message = Buffer.from(`<${PRIORITY}>1 ${at.toISOString()} ${name} longhaul ${process.pid} audit - ${text}`)
  if (receiver.protocol === 'udp') return sendDatagram(receiver, message)
  const socket = receiver.protocol === 'tls' ? connectTls(receiver) : connect(receiver)
  try {
    await write(socket, Buffer.concat([Buffer.from(`${message.length} `), message]), receiver)
  } finally {
    socket.destroySoon()
  }
}

function sendDatagram({ host, port }: SyslogReceiver, message: Buffer): Promise<void> {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' })
  return new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.send(message, port, host, (error) => (error ? reject(error) : resolve()))
  }).finally(() => socket.close())
}

function write(socket: Socket, message: Buffer, { protocol, host, port }: SyslogReceiver): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.setTimeout(WITHIN_MS, () => reject(new Error(`${protocol}://${host}:${port} did not take it in time`)))
    // This also works before the TLS handshake is done: the message is sent after it, or not at all.
    socket.end(message, () => resolve())
  })
}

import type { Duplex } from 'node:stream'
import { createWebSocketStream, type WebSocket } from 'ws'

/**
 * Returns the stream over a socket; its errors only end it. A browser that breaks the protocol before the machine's
 * stream is open must not crash the process.
 */
export function streamOf(socket: WebSocket): Duplex {
  const stream = createWebSocketStream(socket)
  stream.on('error', () => undefined)
  return stream
}

import type { Duplex } from 'node:stream'
import { createWebSocketStream, type WebSocket } from 'ws'

/**
 * The stream over a socket, whose errors are how it ends and no more: a browser that breaks the protocol before the
 * machine's stream stands must not take the process with it.
 */
export function streamOf(socket: WebSocket): Duplex {
  const stream = createWebSocketStream(socket)
  stream.on('error', () => undefined)
  return stream
}

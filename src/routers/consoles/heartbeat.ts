import type { WebSocket } from 'ws'

/** After twice this in silence the peer is considered gone: its host or the network in between failed. */
const POLL_EVERY_MS = 15_000

/** Ends the socket when the other side falls silent. Even a quiet console answers pings. */
export function requireHeartbeat(socket: WebSocket): void {
  let heard = true
  const recordHeartbeat = (): void => {
    heard = true
  }
  socket.on('pong', recordHeartbeat)
  socket.on('message', recordHeartbeat)
  const timer = setInterval(() => {
    if (!heard) return socket.terminate()
    heard = false
    socket.ping()
  }, POLL_EVERY_MS)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}

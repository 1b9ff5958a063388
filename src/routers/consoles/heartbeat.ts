import type { WebSocket } from 'ws'

/** Twice this without a word, and whoever is behind the socket is gone: its host lost power, or the network between. */
const POLL_EVERY_MS = 15_000

/** Ends the socket when the other side falls silent; a quiet console answers pings all the same. */
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

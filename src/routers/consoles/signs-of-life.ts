import type { WebSocket } from 'ws'

/** Twice this without a word, and whoever is behind the socket is gone: its host lost power, or the network between. */
const LOOK_EVERY_MS = 15_000

/** Ends the socket when the other side falls silent; a quiet console answers pings all the same. */
export function demandSignsOfLife(socket: WebSocket): void {
  let heard = true
  const hear = (): void => {
    heard = true
  }
  socket.on('pong', hear)
  socket.on('message', hear)
  const timer = setInterval(() => {
    if (!heard) return socket.terminate()
    heard = false
    socket.ping()
  }, LOOK_EVERY_MS)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}

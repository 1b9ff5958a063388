/** Joins a browser's WebSocket to a stream of the hypervisor: bytes both ways, each side waiting for the slower one. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** Codes of RFC 6455 section 7.4.1. */
const GOING_AWAY = 1001
const POLICY_VIOLATION = 1008

/**
 * Resolves when either side has ended; by then both have. `browser` is the stream over `socket`. `signal` ends the
 * console from our side. Never rejects: consoles normally end because a browser leaves or a machine stops.
 */
export async function bridge(socket: WebSocket, browser: Duplex, stream: Duplex, signal: AbortSignal): Promise<void> {
  // Not a pipeline: it destroys the socket with the stream, before the last output and the reason are sent.
  browser.pipe(stream, { end: false })
  stream.pipe(browser, { end: false })
  const ended = await Promise.race([
    ending(browser).then(() => 'browser' as const),
    ending(stream).then(() => 'stream' as const),
    aborted(signal).then(() => 'access' as const),
  ])
  if (ended === 'stream') await drained(browser)
  if (ended === 'access') socket.close(POLICY_VIOLATION, 'access ended')
  else socket.close(GOING_AWAY, 'the console ended')
  stream.destroy()
}

/** Resolves when the side ends, fails or is destroyed. */
const ending = (side: Duplex): Promise<void> =>
  new Promise((resolve) => {
    if (side.destroyed || side.readableEnded) return resolve()
    side.once('end', resolve)
    side.once('close', resolve)
    side.on('error', () => resolve())
  })

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Waits until the console's last output, often why it ended, is sent. An empty message queues behind it. */
const drained = (browser: Duplex): Promise<void> =>
  new Promise((resolve) => {
    if (browser.destroyed) resolve()
    else browser.write(Buffer.alloc(0), () => resolve())
  })

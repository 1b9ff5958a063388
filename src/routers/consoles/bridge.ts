/** Joins a browser's WebSocket to a stream of the hypervisor: bytes both ways, each side waiting for the slower one. */
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { WebSocket } from 'ws'

/** Codes of RFC 6455 section 7.4.1. */
const GOING_AWAY = 1001
const POLICY_VIOLATION = 1008

/** Resolves when either side has ended; then both have. `signal` ends the console from our side. */
export async function bridge(socket: WebSocket, browser: Duplex, stream: Duplex, signal: AbortSignal): Promise<void> {
  const end = (): void => {
    // With the reason first: tearing the stream down would end the socket without one.
    if (socket.readyState === socket.OPEN) socket.close(POLICY_VIOLATION, 'access ended')
    stream.destroy()
  }
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  try {
    await Promise.race([pipeline(browser, stream), pipeline(stream, browser)])
  } catch {
    // A browser that leaves and a machine that stops both end here: neither is a fault.
  } finally {
    signal.removeEventListener('abort', end)
    if (socket.readyState === socket.OPEN) socket.close(GOING_AWAY, 'the console ended')
    stream.destroy()
    browser.destroy()
  }
}

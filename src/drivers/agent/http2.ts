/** The HTTP/2 code that both ends of a link share (RFC 9113). */
import type { Http2Session, Http2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'

const PING_EVERY_MS = 2_000
const SILENT_AFTER_MS = 8_000

/** Node.js ends a session that buffers more than this; its default of 10 MB is less than a large desired state. */
export const MOST_SESSION_MB = 512

/** Ends a session whose peer does not answer: a lost host sends nothing, and TCP gives up only after minutes. */
export function requireAnswers(session: Http2Session, socket: Duplex): void {
  let answeredAt = performance.now()
  const timer = setInterval(() => {
    if (performance.now() - answeredAt > SILENT_AFTER_MS) return endSession(session, socket)
    if (!session.closed && !session.destroyed) session.ping((error) => void (error ?? (answeredAt = performance.now())))
  }, PING_EVERY_MS)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
  // The session's streams report the error; without a listener it would end the process.
  session.on('error', () => undefined)
}

/** Closing only the session would wait for data that a lost peer never accepts. */
export function endSession(session: Http2Session, socket: Duplex): void {
  session.destroy()
  socket.destroy()
}

export class TooLargeError extends Error {}

/** Returns the text. Reads no byte beyond the limit; the caller then closes the stream. */
export function readWhole(stream: Http2Stream, largest: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= largest) chunks.push(chunk)
      else reject(new TooLargeError(`more than ${largest} bytes`))
    })
    stream.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    stream.once('error', reject)
    stream.once('close', () => reject(new Error('the stream ended early')))
  })
}

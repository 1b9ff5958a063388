/** Reads the beginning of a response, and never more: the far end chooses what it sends, we choose what we read. */
import type { IncomingMessage } from 'node:http'

/** Enough for a sentence that says what was wrong. */
const EXCERPT_BYTES = 2_048
/** Beyond this we close the connection: the status has said what matters. */
const MOST_BYTES = 64 * 1024

export function readExcerpt(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const kept: Buffer[] = []
    let length = 0
    const done = (): void => resolve(legible(Buffer.concat(kept).subarray(0, EXCERPT_BYTES)))
    response.on('data', (chunk: Buffer) => {
      if (length < EXCERPT_BYTES) kept.push(chunk)
      length += chunk.length
      if (length < MOST_BYTES) return
      done()
      response.destroy()
    })
    response.once('end', done)
    response.once('error', reject)
    // Also without an end event: a truncated response is invalid.
    response.once('close', () => reject(new Error('it closed the connection in the middle of its answer')))
  })
}

/** Returns text without control characters: PostgreSQL rejects NUL, and a terminal would interpret the others. */
const legible = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    // eslint-disable-next-line no-control-regex -- they are what is taken out
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '�')

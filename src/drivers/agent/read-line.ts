import type { Duplex } from 'node:stream'

const LONGEST = 16_384
const WITHIN_MS = 10_000

/** Reads the only line that the peer sends on a connection. */
export function readLine(stream: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error('no line in time')), WITHIN_MS)
    const end = (outcome: () => void) => {
      clearTimeout(timer)
      outcome()
    }
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const [line, rest] = text.split('\n', 2)
      if (rest !== undefined) end(() => resolve(line!))
      else if (text.length > LONGEST) end(() => reject(new Error('a line that is too long')))
    })
    stream.once('error', (error) => end(() => reject(error)))
    stream.once('close', () => end(() => reject(new Error('the connection ended'))))
  })
}

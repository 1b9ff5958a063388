/** Keeps a server busy over persistent connections, one request at a time on each, and counts the responses. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadOptions {
  readonly address: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON to POST; without it, the request is a GET. */
  readonly json?: string
  readonly connections: number
  readonly seconds: number
}

/** Returns responses per second. Throws on the first one that is not a 200, and when the server closes a connection. */
export async function putUnderLoad(options: LoadOptions): Promise<number> {
  const { hostname, port } = new URL(options.address)
  const { json } = options
  const head = Object.entries({
    host: `${hostname}:${port}`,
    ...options.headers,
    ...(json !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(json)),
    }),
  })
  const method = json === undefined ? 'GET' : 'POST'
  const request = `${method} ${options.path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${json ?? ''}`
  const stop = new AbortController()
  const counts = { answers: 0 }
  const connections = Array.from({ length: options.connections }, () =>
    keepAsking(connect({ host: hostname, port: Number(port), noDelay: true }), request, counts, stop.signal),
  )
  const began = performance.now()
  // A connection only settles early by failing.
  await Promise.race([sleep(options.seconds * 1_000), Promise.all(connections)])
  const perSecond = counts.answers / ((performance.now() - began) / 1_000)
  stop.abort()
  await Promise.all(connections)
  return perSecond
}

function keepAsking(socket: Socket, request: string, counts: { answers: number }, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      socket.destroy()
      if (error && !stop.aborted) reject(error)
      else resolve()
    }
    stop.addEventListener('abort', () => end())
    // Responses are short: nearly always one chunk is one response.
    let rest = ''
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(request))
    socket.on('error', end)
    socket.on('close', () => end(new Error('the server hung up')))
    socket.on('data', (chunk: string) => {
      rest += chunk
      const length = answerLength(rest)
      if (length === null || rest.length < length) return
      if (!rest.startsWith('HTTP/1.1 200 ')) return end(new Error(`expected a 200, got: ${rest.slice(0, 300)}`))
      rest = rest.slice(length)
      counts.answers++
      socket.write(request)
    })
  })
}

/** Returns the length of the first response, head and body; null while its head is incomplete. */
function answerLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1]
  if (length === undefined) throw new Error('the answer does not say how long it is')
  return headEnd + 4 + Number(length)
}

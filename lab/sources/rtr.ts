/** An RPKI-to-Router cache (RFC 8210, RFC 6810) over a file of VRPs: serves deltas, and notifies of file changes. */
import { createServer, type Socket } from 'node:net'
import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { parsePrefix } from '../../src/kernel/prefix.ts'
import {
  encodePdu,
  PduReader,
  RTR_ERROR,
  RtrError,
  type Pdu,
  type PrefixPdu,
  type RtrVersion,
} from '../../src/drivers/rpki/rtr/pdu.ts'
import { toWords } from '../../src/drivers/rpki/vrp-columns.ts'
import { listen, type RunningSource, type SourceOptions } from './listen.ts'
import { watchContent } from './watch.ts'

const exportFile = z.object({
  roas: z.array(z.object({ asn: z.int().nonnegative(), prefix: z.string(), maxLength: z.int() })),
})

/** Short, so that the demonstration notices a changed ROA soon even without a notify. */
const TIMERS = { refresh: 60, retry: 10, expire: 7200 }
const MAX_DELTAS = 16

export function startRtr(options: SourceOptions): Promise<RunningSource> {
  const session = randomInt(1, 0xffff)
  const clients = new Map<Socket, RtrVersion>()
  const deltas: { from: number; changes: readonly PrefixPdu[] }[] = []
  let serial = 1
  let vrps = new Map<string, PrefixPdu>()

  const content = watchContent(options.file, readVrps, (next) => {
    const changes = [...difference(next, vrps, true), ...difference(vrps, next, false)]
    vrps = next
    if (changes.length === 0) return
    deltas.push({ from: serial, changes })
    if (deltas.length > MAX_DELTAS) deltas.shift()
    serial += 1
    for (const [client, version] of clients)
      client.write(encodePdu(version, { type: 'serial-notify', session, serial }))
  })
  vrps = content.get()

  /** Returns the changes since a serial, one per VRP; null when this cache no longer has them. */
  const since = (from: number): PrefixPdu[] | null => {
    if (from === serial) return []
    const first = deltas.findIndex((delta) => delta.from === from)
    if (first < 0) return null
    const net = new Map<string, PrefixPdu>()
    for (const change of deltas.slice(first).flatMap((delta) => delta.changes)) {
      const key = keyOf(change)
      // Announced and withdrawn again (or the reverse) is no change for a client that saw neither.
      if (net.has(key)) net.delete(key)
      else net.set(key, change)
    }
    return [...net.values()]
  }
  const answer = (pdu: Pdu): Pdu[] => {
    const complete = (rows: Iterable<PrefixPdu>): Pdu[] => [
      { type: 'cache-response', session },
      ...rows,
      { type: 'end-of-data', session, serial, timers: TIMERS },
    ]
    if (pdu.type === 'reset-query') return complete(vrps.values())
    if (pdu.type === 'error') return []
    if (pdu.type !== 'serial-query') throw new RtrError(RTR_ERROR.invalidRequest, 'this is no question')
    const changes = pdu.session === session ? since(pdu.serial) : null
    return changes ? complete(changes) : [{ type: 'cache-reset' }]
  }

  const server = createServer((socket) => {
    const reader = new PduReader()
    socket.once('close', () => clients.delete(socket))
    socket.on('data', (chunk) => {
      try {
        for (const { version, pdu } of reader.push(chunk)) {
          clients.set(socket, version)
          socket.write(Buffer.concat(answer(pdu).map((part) => encodePdu(version, part))))
        }
      } catch (error) {
        const code = error instanceof RtrError ? error.code : RTR_ERROR.internalError
        socket.end(encodePdu(clients.get(socket) ?? 1, { type: 'error', code, text: String(error) }))
      }
    })
  })
  return listen(server, options, content.stop)
}

function readVrps(text: string): Map<string, PrefixPdu> {
  const rows = exportFile.parse(JSON.parse(text)).roas.map((roa): PrefixPdu => {
    const prefix = parsePrefix(roa.prefix)
    const { family, length } = prefix
    return {
      type: 'prefix',
      announce: true,
      family,
      words: toWords(prefix),
      length,
      maxLength: roa.maxLength,
      asn: roa.asn,
    }
  })
  return new Map(rows.map((row) => [keyOf(row), row]))
}

const keyOf = ({ words, length, maxLength, asn }: PrefixPdu): string =>
  `${words.join('.')}/${length}-${maxLength}=${asn}`

const difference = (of: Map<string, PrefixPdu>, without: Map<string, PrefixPdu>, announce: boolean): PrefixPdu[] =>
  [...of].filter(([key]) => !without.has(key)).map(([, row]) => ({ ...row, announce }))

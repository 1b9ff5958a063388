/** A DNS server on loopback, over UDP and TCP, with answers of the test's choice. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { once } from 'node:events'

export interface TestRecords {
  readonly txt?: readonly (string | readonly string[])[]
  readonly cname?: string
  /** `secure`: a verifying resolver sets AD. `bogus`: it answers only with checking disabled. */
  readonly dnssec?: 'secure' | 'bogus'
  readonly rcode?: number
  /** Over UDP it sets the truncated bit. */
  readonly large?: boolean
  readonly silent?: boolean
  /** Sent unchanged instead of an answer. */
  readonly raw?: (query: Buffer) => Buffer
}

export async function startTestDns(address = '127.0.0.1') {
  const zones = new Map<string, TestRecords>()
  const asked: { name: string; over: 'udp' | 'tcp' }[] = []
  const udp = createSocket('udp4')
  udp.bind(0, address)
  await once(udp, 'listening')
  const { port } = udp.address()
  udp.on('message', (query, from) => {
    const answer = answerTo(query, 'udp')
    if (answer) udp.send(answer, from.port, from.address)
  })
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      const answer = answerTo(data.subarray(2), 'tcp')
      if (!answer) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(answer.length)
      socket.end(Buffer.concat([length, answer]))
    })
  })
  tcp.listen(port, address)
  await once(tcp, 'listening')

  function answerTo(query: Buffer, over: 'udp' | 'tcp'): Buffer | null {
    const { name, end } = nameAt(query, 12)
    asked.push({ name, over })
    const found = zones.get(name)
    if (found?.silent) return null
    if (found?.raw) return found.raw(query)
    const unchecked = (query.readUInt16BE(2) & 0x10) !== 0
    if (found?.dnssec === 'bogus' && !unchecked) return reply(query, end, { rcode: 2 })
    if (found?.large && over === 'udp') return reply(query, end, { flags: 0x200 })
    return reply(query, end, {
      rcode: found?.rcode ?? (found ? 0 : 3),
      flags: found?.dnssec === 'secure' ? 0x20 : 0,
      answers: [
        ...(found?.cname === undefined ? [] : [record(5, encodeName(found.cname))]),
        ...(found?.txt ?? []).map((texts) => record(16, strings([texts].flat()))),
      ],
    })
  }
  return {
    port,
    zones,
    asked,
    close: () => new Promise<void>((resolve) => udp.close(() => tcp.close(() => resolve()))),
  }
}

export const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])

const strings = (texts: readonly string[]): Buffer =>
  Buffer.concat(texts.flatMap((text) => [Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]))

/** Its owner name is a pointer to the name in the question. */
export function record(type: number, data: Buffer, owner: Buffer = Buffer.from([0xc0, 12])): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, head, data])
}

export function reply(
  query: Buffer,
  end: number,
  { rcode = 0, flags = 0, answers = [] }: { rcode?: number; flags?: number; answers?: readonly Buffer[] },
): Buffer {
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | flags | rcode, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(answers.length, 6)
  return Buffer.concat([head, query.subarray(12, end + 4), ...answers])
}

export function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  while (message[at]! > 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!))
    at += 1 + message[at]!
  }
  return { name: labels.join('.'), end: at + 1 }
}

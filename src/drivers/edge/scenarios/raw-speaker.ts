/**
 * A BGP speaker that sends whatever it is told, for messages that no correct implementation would send. It runs as a
 * separate program in a neighbor's namespace, with its orders (one, or a list) as JSON on standard input. For each it
 * prints a line: `up ADDRESS` once the session is up and the updates were sent, and `notification ADDRESS CODE` when
 * one arrives.
 */
import { text } from 'node:stream/consumers'
import { createConnection } from 'node:net'

export interface RawOrders {
  readonly local: string
  readonly remote: string
  readonly asn: number
  /** Bodies of UPDATE messages (RFC 4271 section 4.3), in hexadecimal. */
  readonly updates: readonly string[]
  /** The families that it may announce; by default that of its address. */
  readonly families?: readonly (4 | 6)[]
  /** Complete messages to send afterwards, including headers. */
  readonly messages?: readonly string[]
}

const OPEN = 1
const UPDATE = 2
const NOTIFICATION = 3
const KEEPALIVE = 4

const given = JSON.parse(await text(process.stdin)) as RawOrders | RawOrders[]
for (const [index, orders] of [given].flat().entries()) speak(orders, index)

function speak(orders: RawOrders, index: number): void {
  const socket = createConnection({ host: orders.remote, port: 179, localAddress: orders.local })
  const send = (type: number, body: Buffer): void => {
    const head = Buffer.alloc(19, 0xff)
    head.writeUInt16BE(19 + body.length, 16)
    head.writeUInt8(type, 18)
    socket.write(Buffer.concat([head, body]))
  }
  const say = (words: string): void => void process.stdout.write(`${words}\n`)

  let input = Buffer.alloc(0)
  let up = false
  socket.on('connect', () => send(OPEN, openBody(orders, index)))
  socket.on('error', (error) => say(`failed ${orders.local} ${error.message}`))
  socket.on('data', (chunk: Buffer) => {
    input = Buffer.concat([input, chunk])
    while (input.length >= 19 && input.length >= input.readUInt16BE(16)) {
      const length = input.readUInt16BE(16)
      receive(input.readUInt8(18), input.subarray(19, length))
      input = input.subarray(length)
    }
  })

  function receive(type: number, body: Buffer): void {
    if (type === OPEN) send(KEEPALIVE, Buffer.alloc(0))
    if (type === KEEPALIVE && !up) {
      up = true
      for (const update of orders.updates) send(UPDATE, Buffer.from(update, 'hex'))
      for (const message of orders.messages ?? []) socket.write(Buffer.from(message, 'hex'))
      setInterval(() => send(KEEPALIVE, Buffer.alloc(0)), 10_000)
      say(`up ${orders.local}`)
    }
    if (type === NOTIFICATION) say(`notification ${orders.local} ${body.readUInt8(0)}/${body.readUInt8(1)}`)
  }
}

/** Version 4, AS_TRANS, 90 s, and the capabilities: unicast of each family (RFC 4760) and 32-bit AS numbers (RFC 6793). */
function openBody(orders: RawOrders, index: number): Buffer {
  const asn = Buffer.alloc(4)
  asn.writeUInt32BE(orders.asn)
  const families = orders.families ?? [orders.local.includes(':') ? 6 : 4]
  const unicast = families.map((family) => (family === 6 ? '010400020001' : '010400010001')).join('')
  const capabilities = Buffer.concat([Buffer.from(unicast, 'hex'), Buffer.from('4104', 'hex'), asn])
  // Any number that no other speaker of a scenario uses; a neighbor only requires that it differs from its own.
  const routerId = Buffer.from([10, 0, 1, 1 + index])
  return Buffer.concat([
    Buffer.from([4]),
    Buffer.from('5ba0', 'hex'),
    Buffer.from('005a', 'hex'),
    routerId,
    Buffer.from([capabilities.length + 2, 2, capabilities.length]),
    capabilities,
  ])
}

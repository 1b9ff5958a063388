/**
 * A BGP speaker that says whatever it is told, for what no sound implementation would send. Runs as a program of its
 * own inside a neighbour's namespace: `node raw-speaker.ts '{"local","remote","asn","updates":[hex]}'`. Prints `up` once
 * the session stands and the updates were sent, and the code of a NOTIFICATION when one comes.
 */
import { createConnection } from 'node:net'

interface Orders {
  readonly local: string
  readonly remote: string
  readonly asn: number
  /** Bodies of UPDATE messages (RFC 4271 section 4.3), in hexadecimal. */
  readonly updates: readonly string[]
}

const OPEN = 1
const UPDATE = 2
const NOTIFICATION = 3
const KEEPALIVE = 4

const orders = JSON.parse(process.argv[2]!) as Orders
const socket = createConnection({ host: orders.remote, port: 179, localAddress: orders.local })
const send = (type: number, body: Buffer): void => {
  const head = Buffer.alloc(19, 0xff)
  head.writeUInt16BE(19 + body.length, 16)
  head.writeUInt8(type, 18)
  socket.write(Buffer.concat([head, body]))
}

let input = Buffer.alloc(0)
socket.on('connect', () => send(OPEN, openBody()))
socket.on('error', (error) => process.stdout.write(`failed ${error.message}\n`))
socket.on('data', (chunk: Buffer) => {
  input = Buffer.concat([input, chunk])
  while (input.length >= 19 && input.length >= input.readUInt16BE(16)) {
    const length = input.readUInt16BE(16)
    receive(input.readUInt8(18), input.subarray(19, length))
    input = input.subarray(length)
  }
})

let up = false
function receive(type: number, body: Buffer): void {
  if (type === OPEN) send(KEEPALIVE, Buffer.alloc(0))
  if (type === KEEPALIVE && !up) {
    up = true
    for (const update of orders.updates) send(UPDATE, Buffer.from(update, 'hex'))
    setInterval(() => send(KEEPALIVE, Buffer.alloc(0)), 10_000)
    process.stdout.write('up\n')
  }
  if (type === NOTIFICATION) process.stdout.write(`notification ${body.readUInt8(0)}/${body.readUInt8(1)}\n`)
}

/** Version 4, AS_TRANS, 90 s, and two capabilities: unicast of one family (RFC 4760) and 32-bit AS numbers (RFC 6793). */
function openBody(): Buffer {
  const asn = Buffer.alloc(4)
  asn.writeUInt32BE(orders.asn)
  const unicast = orders.local.includes(':') ? '010400020001' : '010400010001'
  const capabilities = Buffer.concat([Buffer.from(unicast, 'hex'), Buffer.from('4104', 'hex'), asn])
  // Any number that no other speaker of a scenario has; the edge only demands that it differs from its own.
  const routerId = Buffer.from([10, 0, 0, 99])
  return Buffer.concat([
    Buffer.from([4]),
    Buffer.from('5ba0', 'hex'),
    Buffer.from('005a', 'hex'),
    routerId,
    Buffer.from([capabilities.length + 2, 2, capabilities.length]),
    capabilities,
  ])
}

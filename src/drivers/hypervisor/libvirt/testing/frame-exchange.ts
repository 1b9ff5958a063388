/**
 * Runs in a namespace: sends its input into a tunnel (VXLAN, RFC 7348), and prints what arrives from others. A line of
 * input is a frame in hexadecimal; a line of output is the tunnel's number and a frame.
 */
import { createSocket } from 'node:dgram'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const VXLAN_PORT = 4789
const HEADER_BYTES = 8
/** An emulated guest empties its queue slowly. */
const BURST = 16
const PAUSE_MS = 10

const [address, tunnel] = process.argv.slice(2) as [string, string]
const header = Buffer.alloc(HEADER_BYTES)
header.writeUInt32BE(0x0800_0000)
header.writeUInt32BE(Number(tunnel) << 8, 4)

const socket = createSocket({ type: 'udp4', recvBufferSize: 8 << 20 })
socket.on('message', (packet) => {
  process.stdout.write(`${packet.readUInt32BE(4) >>> 8} ${packet.toString('hex', HEADER_BYTES)}\n`)
})
socket.bind(VXLAN_PORT, () => process.stdout.write('ready\n'))

let sent = 0
for await (const line of createInterface({ input: process.stdin })) {
  socket.send(Buffer.concat([header, Buffer.from(line, 'hex')]), VXLAN_PORT, address)
  if (++sent % BURST === 0) await sleep(PAUSE_MS)
}
socket.close()

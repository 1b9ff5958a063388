import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { certificateFor, key } from '../testing-certificate.ts'
import { parseReceiver, sendToSyslog, type SyslogReceiver } from './index.ts'

const AT = new Date('2026-11-22T10:00:00.000Z')
const closing: (() => unknown)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))
const ca = await certificateFor('127.0.0.1')

/** Starts a receiver on loopback that records its messages. */
async function listen(protocol: SyslogReceiver['protocol'], cert = ca) {
  const received: string[] = []
  const take = (socket: Socket) => socket.on('data', (data) => received.push(data.toString())).on('error', () => null)
  if (protocol === 'udp') {
    const socket = createSocket('udp4', (message) => received.push(message.toString()))
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    closing.push(() => socket.close())
    return { received, receiver: { protocol, host: '127.0.0.1', port: socket.address().port } }
  }
  const server = protocol === 'tls' ? createTlsServer({ key, cert }, take) : createServer(take)
  server.on('tlsClientError', () => null).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return { received, receiver: { protocol, host: '127.0.0.1', port: (server.address() as AddressInfo).port } }
}

const FORM = /^<109>1 2026-11-22T10:00:00\.000Z \S+ longhaul \d+ audit - audit head 7:ab$/

test.each(['udp', 'tcp', 'tls'] as const)('a message arrives over %s, in the form of RFC 5424', async (protocol) => {
  const { received, receiver } = await listen(protocol)
  await sendToSyslog(protocol === 'tls' ? { ...receiver, ca } : receiver, 'audit head 7:ab', AT)
  await expect.poll(() => received.length).toBeGreaterThan(0)
  const text = received.join('')
  if (protocol === 'udp') return expect(text).toMatch(FORM)
  const [, length = '', message = ''] = /^(\d+) (.*)$/s.exec(text) ?? []
  expect(message).toMatch(FORM)
  expect(Buffer.byteLength(message)).toBe(Number(length))
})

test('over TLS a receiver that no authority vouches for gets nothing', async () => {
  const { received, receiver } = await listen('tls')
  await expect(sendToSyslog(receiver, 'audit head 7:ab', AT)).rejects.toThrow(/certificate/)
  expect(received).toEqual([])
})

test('over TLS a receiver with the certificate of another gets nothing', async () => {
  const other = await certificateFor('192.0.2.1')
  const { received, receiver } = await listen('tls', other)
  await expect(sendToSyslog({ ...receiver, ca: other }, 'audit head 7:ab', AT)).rejects.toThrow(/altnames/)
  expect(received).toEqual([])
})

test('a receiver that is away is an error, and not silence', async () => {
  const { receiver } = await listen('tcp')
  await expect(sendToSyslog({ ...receiver, port: 1 }, 'audit head 7:ab', AT)).rejects.toThrow(/ECONNREFUSED/)
})

test.each([
  ['udp://log.example.net:514', { protocol: 'udp', host: 'log.example.net', port: 514 }],
  ['tls://[2001:db8::5]:6514', { protocol: 'tls', host: '2001:db8::5', port: 6514 }],
  ['tcp://192.0.2.1:601/', { protocol: 'tcp', host: '192.0.2.1', port: 601 }],
  ['tcp://192.0.2.1', null],
  ['http://192.0.2.1:601', null],
  ['tcp://192.0.2.1:70000', null],
])('%s is read as %j', (address, receiver) => {
  expect(parseReceiver(address)).toEqual(receiver)
})

import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'

const { app } = await createHttp({
  config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
  log: createLog('silent'),
  secretKey: 'k'.repeat(32),
  secure: false,
  authenticate: () => Promise.resolve(null),
})
app.get('/api/plain', () => ({ plain: true }))
app.post('/api/said', (said) => said.body)
app.route({
  method: 'GET',
  url: '/api/socket',
  handler: () => ({ socket: false }),
  wsHandler: (socket) => socket.close(),
})
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => app.close())

async function offer(upgrade: string, path: string, body?: object): Promise<number | string> {
  const asking = request({
    port: (app.server.address() as AddressInfo).port,
    path,
    method: body ? 'POST' : 'GET',
    headers: {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade,
      'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      ...(body && { 'content-type': 'application/json' }),
    },
  })
  const answered = Promise.race([once(asking, 'response'), once(asking, 'upgrade')])
  asking.end(body && JSON.stringify(body))
  const [response] = (await answered) as [IncomingMessage]
  if (response.statusCode === 101) asking.destroy()
  return response.statusCode === 200 ? text(response) : response.statusCode!
}

test('a client that would rather speak HTTP/2 is answered in what it speaks, its body read', async () => {
  expect(await offer('h2c', '/api/plain')).toBe('{"plain":true}')
  expect(await offer('h2c', '/api/said', { word: 'yes' })).toBe('{"word":"yes"}')
})

test('a WebSocket opens where there is one, and nowhere else', async () => {
  expect(await offer('websocket', '/api/socket')).toBe(101)
  expect(await offer('WebSocket', '/api/socket?ticket=1')).toBe(101)
  expect(await offer('h2c', '/api/socket')).toBe('{"socket":false}')
  expect(await offer('websocket', '/api/plain')).toBe('{"plain":true}')
  expect(await offer('websocket', '/api/nothing')).toBe(404)
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { manualClock } from '../../kernel/clock.ts'
import { createPeeringDbNetworks } from './peeringdb-networks.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A server that gives every request this response. */
async function answering(reply: () => [status: number, body: string]) {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    const [status, body] = reply()
    response.writeHead(status).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const clock = manualClock('2026-11-20T12:00:00Z')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { networks: createPeeringDbNetworks({ base, clock }), heard, clock }
}

const net = (part: object) => ({ id: 1, org_id: 1, name: 'Kestrel', asn: 500_010, status: 'ok', ...part })
const list = (...data: object[]): [number, string] => [200, JSON.stringify({ meta: {}, data })]

it('gives the text of the network, and asks for it once a day', async () => {
  const { networks, heard, clock } = await answering(() => list(net({ irr_as_set: 'RIPE::AS-KESTREL, AS-X' })))
  expect(await networks.asSetOf(500_010)).toBe('RIPE::AS-KESTREL, AS-X')
  clock.advance(23 * 3_600_000)
  await networks.asSetOf(500_010)
  expect(heard).toEqual(['/api/net?asn=500010'])
  clock.advance(3_600_000)
  await networks.asSetOf(500_010)
  expect(heard).toHaveLength(2)
})

it.each([
  ['no such network', (): [number, string] => [404, '{}']],
  ['an empty list', () => list()],
  ['another network', () => list(net({ asn: 500_020, irr_as_set: 'AS-PLOVER' }))],
  ['a deleted network', () => list(net({ status: 'deleted', irr_as_set: 'AS-KESTREL' }))],
  ['an empty text', () => list(net({ irr_as_set: ' ' }))],
  ['no text', () => list(net({ irr_as_set: null }))],
])('takes %s for none', async (_what, reply) => {
  expect(await (await answering(reply)).networks.asSetOf(500_010)).toBeNull()
})

it.each([
  ['is busy', (): [number, string] => [429, ''], /answered 429/],
  ['says something else', (): [number, string] => [200, '[]'], /did not answer with networks/],
  ['sends no JSON', (): [number, string] => [200, '<html>'], /no JSON/],
])('says so when it %s', async (_what, reply, words) => {
  await expect((await answering(reply)).networks.asSetOf(500_010)).rejects.toThrow(words)
})

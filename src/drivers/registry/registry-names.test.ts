import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { manualClock } from '../../kernel/clock.ts'
import { createRegistryNames } from './registry-names.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const LIST = {
  services: [
    [['1877-1901', '500010'], ['https://rdap.db.ripe.net/']],
    [['500020'], ['http://rdap.arin.net/registry/', 'https://rdap.arin.net/registry/']],
    [['500030'], ['https://rdap.apnic.net/']],
    [['500040'], ['https://rdap.afrinic.net/rdap/']],
    [['500050'], ['https://rdap.lacnic.net/rdap/']],
    [['500060'], ['https://rdap.notripe.net/']],
  ],
}

async function serving(reply: () => [number, string]) {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
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
  const list = `http://127.0.0.1:${(server.address() as AddressInfo).port}/asn.json`
  return { names: createRegistryNames({ list, clock }), asked: () => asked, clock }
}

it('names the registry by the server that the bootstrap gives for the number', async () => {
  const { names, asked } = await serving(() => [200, JSON.stringify(LIST)])
  const found = []
  for (const asn of [1_900, 500_010, 500_020, 500_030, 500_040, 500_050, 500_060, 500_070])
    found.push(await names.find(asn))
  expect(found).toEqual(['RIPE', 'RIPE', 'ARIN', 'APNIC', 'AFRINIC', 'LACNIC', null, null])
  expect(asked()).toBe(1)
})

it('knows it without waiting once the list was read', async () => {
  const { names } = await serving(() => [200, JSON.stringify(LIST)])
  expect(names.known(500_020)).toBeNull()
  await vi.waitFor(() => expect(names.known(500_020)).toBe('ARIN'))
})

it('asks again a minute after the list could not be read, and not before', async () => {
  let broken = true
  const { names, asked, clock } = await serving(() => (broken ? [500, ''] : [200, JSON.stringify(LIST)]))
  expect(await names.find(500_010)).toBeNull()
  broken = false
  expect([await names.find(500_010), asked()]).toEqual([null, 1])
  clock.advance(60_000)
  expect(await names.find(500_010)).toBe('RIPE')
})

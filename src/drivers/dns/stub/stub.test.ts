import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { encodeName, nameAt, record, reply, startTestDns, type TestRecords } from '../testing.ts'
import { createStubResolver } from './index.ts'

const NAME = '_longhaul-challenge.10.30.45.in-addr.arpa'
const server = await startTestDns()
afterAll(() => server.close())
const resolver = createStubResolver({ servers: [{ address: '127.0.0.1', port: server.port }], timeoutMs: 300 })
beforeEach(() => {
  server.zones.clear()
  server.asked.length = 0
})
const ask = (records: TestRecords) => {
  server.zones.set(NAME, records)
  return resolver.txt(NAME)
}
/** An answer with records that a test writes itself. */
const answering = (answers: (query: Buffer) => Buffer[]) => (query: Buffer) =>
  reply(query, nameAt(query, 12).end, { answers: answers(query) })

test('joins the strings of one record', async () => {
  expect((await ask({ txt: [['longhaul-', 'verify=1'], 'other'] })).records).toEqual(['longhaul-verify=1', 'other'])
})

test('asks over TCP when the answer does not fit into a datagram', async () => {
  const long = Array.from({ length: 15 }, () => 'x'.repeat(250))
  expect((await ask({ txt: long, large: true })).records).toEqual(long)
  expect(server.asked.map(({ over }) => over)).toEqual(['udp', 'tcp'])
})

test('does not follow an alias: it leads out of the zone', async () => {
  const target = encodeName('tenant.example')
  const raw = answering(() => [record(5, target), record(16, Buffer.from('\x05token'), target)])
  expect(await ask({ raw })).toMatchObject({ records: [], alias: true })
})

test('leaves out records of another name, class or type in the answer', async () => {
  const raw = answering(() => {
    const chaos = record(16, Buffer.from('\x05token'))
    chaos.writeUInt16BE(3, 4)
    return [
      record(16, Buffer.from('\x05token'), encodeName('elsewhere.example')),
      chaos,
      record(12, encodeName('token')),
    ]
  })
  expect((await ask({ raw })).records).toEqual([])
})

test('tells wrong signatures from servers that are away', async () => {
  await expect(ask({ txt: ['x'], dnssec: 'bogus' })).rejects.toMatchObject({ kind: 'bogus' })
  await expect(ask({ rcode: 2 })).rejects.toMatchObject({ kind: 'unreachable' })
})

test('is refused rather than told that there is no record', async () => {
  await expect(ask({ rcode: 5 })).rejects.toMatchObject({ kind: 'protocol' })
})

test('asks twice and then says that the resolver is late', async () => {
  await expect(ask({ silent: true })).rejects.toMatchObject({ kind: 'timeout' })
  expect(server.asked).toHaveLength(2)
})

test('says that nothing listens there', async () => {
  const nobody = createStubResolver({ servers: [{ address: '127.0.0.1', port: 1 }], timeoutMs: 300 })
  await expect(nobody.txt(NAME)).rejects.toMatchObject({ name: 'DnsError' })
})

test('does not believe a resolver on another machine that the signatures are good', async () => {
  // All of 127.0.0.0/8 is this machine; its network address does not count as such.
  const { networkInterfaces } = await import('node:os')
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && one.family === 'IPv4' && !one.internal)
  if (!own) return
  const { createSocket } = await import('node:dgram')
  const far = createSocket('udp4')
  await new Promise<void>((resolve) => far.bind(0, own.address, resolve))
  far.on('message', (query, from) => {
    const answers = [record(16, Buffer.from('\x05token'))]
    far.send(reply(query, nameAt(query, 12).end, { flags: 0x20, answers }), from.port, from.address)
  })
  const remote = createStubResolver({ servers: [{ address: own.address, port: far.address().port }] })
  expect(await remote.txt(NAME)).toMatchObject({ records: ['token'], dnssec: 'UNCHECKED' })
  far.close()
})

describe('of two resolvers', () => {
  const two = async (first: TestRecords | null, second: TestRecords | null) => {
    const other = await startTestDns('127.0.0.2')
    const servers = [
      { address: '127.0.0.1', port: server.port },
      { address: '127.0.0.2', port: other.port },
    ]
    if (first) server.zones.set(NAME, first)
    if (second) other.zones.set(NAME, second)
    try {
      return { ...(await createStubResolver({ servers, timeoutMs: 300 }).txt(NAME)), asked: other.asked.length }
    } finally {
      await other.close()
    }
  }

  test('the records that both give are the answer, without signatures', async () => {
    expect(await two({ txt: ['token', 'forged'] }, { txt: ['token'] })).toMatchObject({
      records: ['token'],
      resolvers: 2,
    })
    expect(await two({ txt: ['forged'] }, null)).toMatchObject({ records: [], resolvers: 2 })
  })

  test('the second is not needed where the signatures are good', async () => {
    expect(await two({ txt: ['token'], dnssec: 'secure' }, null)).toMatchObject({ records: ['token'], asked: 0 })
  })

  test('one that is away leaves the answer to the other alone', async () => {
    expect(await two({ txt: ['token'] }, { silent: true })).toMatchObject({ records: ['token'], resolvers: 1 })
  })
})

describe('a hostile answer', () => {
  const loop = Buffer.from([0xc0, 0xff])
  const hostile: readonly (readonly [string, (query: Buffer) => Buffer])[] = [
    [
      'of another question',
      (query) =>
        reply(Buffer.concat([query.subarray(0, 2), Buffer.alloc(10), encodeName('a.b'), query.subarray(-15)]), 17, {}),
    ],
    [
      'with another id',
      (query) => {
        const bent = reply(query, nameAt(query, 12).end, {})
        bent[0]! ^= 1
        return bent
      },
    ],
    ['that is a question', (query) => query],
    ['that is empty', () => Buffer.alloc(0)],
  ]
  test.each(hostile)('%s is not taken for the answer', async (_, raw) => {
    await expect(ask({ raw })).rejects.toMatchObject({ kind: 'timeout' })
  })

  const broken: readonly (readonly [string, (query: Buffer) => Buffer])[] = [
    [
      'that ends in a record',
      (query) => answering(() => [record(16, Buffer.from('\x05token'))])(query).subarray(0, -3),
    ],
    ['whose string is longer than its record', answering(() => [record(16, Buffer.from('\xfftoken', 'latin1'))])],
    [
      'whose name points to itself',
      answering((query) => [record(16, Buffer.from('\x05token'), Buffer.from([0xc0, query.length]))]),
    ],
    ['whose name points ahead', answering(() => [record(16, Buffer.from('\x05token'), loop)])],
    [
      'that promises more records than it has',
      (query) => {
        const bent = reply(query, nameAt(query, 12).end, {})
        bent.writeUInt16BE(9, 6)
        return bent
      },
    ],
  ]
  test.each(broken)('%s is an error and never an answer', async (_, raw) => {
    await expect(ask({ raw })).rejects.toMatchObject({ kind: 'protocol' })
  })
})

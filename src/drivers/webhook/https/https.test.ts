import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { addEffectGuard } from '../../../kernel/effects.ts'
import { WebhookFailure } from '../index.ts'
import { createHttpsSender } from './index.ts'
import { unreachable } from './reachable.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

async function receiver(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => (server.close(), server.closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

const local = createHttpsSender({ denied: [], loopback: true, deadlineMs: 400 })
const open = createHttpsSender({ denied: [], loopback: false, deadlineMs: 400 })
const message = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"a":1}' })
const forever = new AbortController().signal

describe('an exchange', () => {
  test('carries the body and its headers, and brings back status, beginning and Retry-After', async () => {
    let seen = ''
    const url = await receiver((request, response) => {
      request.on('data', (chunk: Buffer) => (seen += chunk.toString()))
      request.on('end', () =>
        response.writeHead(503, { 'retry-after': '7' }).end(`busy ${String(request.headers['webhook-id'])}`),
      )
    })
    expect(await local.send(message(url), forever)).toEqual({ status: 503, excerpt: 'busy evt_1', retryAfter: 7 })
    expect(seen).toBe('{"a":1}')
  })

  test('sends nothing when the lease ends while it connects', async () => {
    let seen = false
    const url = await receiver((_, response) => ((seen = true), response.end()))
    const removeGuard = addEffectGuard(() => {
      throw new Error('the lease ended')
    })
    try {
      await expect(local.send(message(url), forever)).rejects.toThrow('the lease ended')
    } finally {
      removeGuard()
    }
    expect(seen).toBe(false)
  })

  test('does not follow a redirect', async () => {
    let reached = false
    const target = await receiver((_, response) => ((reached = true), response.end()))
    const url = await receiver((_, response) => response.writeHead(307, { location: target }).end())
    expect((await local.send(message(url), forever)).status).toBe(307)
    expect(reached).toBe(false)
  })

  test('reads no more than the beginning of a huge answer', async () => {
    const url = await receiver((_, response) => {
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.writeHead(200).on('drain', pour)
      pour()
    })
    const { status, excerpt } = await local.send(message(url), forever)
    expect([status, excerpt.length]).toEqual([200, 2_048])
  })

  test('gives up on one that says nothing, and on one that drips', async () => {
    const silent = await receiver(() => undefined)
    await expect(local.send(message(silent), forever)).rejects.toThrow('no answer within 0.4 seconds')
    const dripping = await receiver((_, response) => {
      const drip = setInterval(() => response.write('.'), 20)
      response.once('close', () => clearInterval(drip))
    })
    await expect(local.send(message(dripping), forever)).rejects.toThrow('no answer within 0.4 seconds')
  })

  test('says so when the far end closes early, before or in its answer', async () => {
    const before = await receiver((request) => request.socket.destroy())
    await expect(local.send(message(before), forever)).rejects.toThrow('closed the connection')
    const amid = await receiver((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => request.socket.destroy(), 20)
    })
    await expect(local.send(message(amid), forever)).rejects.toBeInstanceOf(WebhookFailure)
  })

  test('says so when no one listens, or speaks no HTTP', async () => {
    const tcp = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    tcp.listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    const { port } = tcp.address() as AddressInfo
    await expect(local.send(message(`http://127.0.0.1:${port}/`), forever)).rejects.toBeInstanceOf(WebhookFailure)
    tcp.close()
    await expect(local.send(message(`http://127.0.0.1:${port}/`), forever)).rejects.toThrow('refused the connection')
  })

  test('ends when the far end switches protocols', async () => {
    const url = await receiver((request) =>
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
    )
    await expect(local.send(message(url), forever)).rejects.toThrow('closed the connection before it answered')
  })

  test('reads an answer that ends with the connection', async () => {
    const url = await receiver((request) => request.socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndone'))
    expect(await local.send(message(url), forever)).toMatchObject({ status: 200, excerpt: 'done' })
  })

  test('makes control characters harmless', async () => {
    const url = await receiver((_, response) => response.end('a\u0000b\u001b[31mc\nd'))
    expect((await local.send(message(url), forever)).excerpt).toBe('a�b�[31mc\nd')
  })
})

describe('name servers', () => {
  /** Answers as told; the default is silence. */
  async function nameServer(answer: (query: Buffer) => Buffer | null = () => null): Promise<string> {
    const socket = createSocket('udp4')
    socket.on('message', (query, { port, address }) => {
      const response = answer(query)
      if (response) socket.send(response, port, address)
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    closing.push(() => socket.close())
    return `127.0.0.1:${socket.address().port}`
  }
  /** RFC 1035, section 4.1.1: the query with the response bit and a code. */
  const withCode = (code: number) => (query: Buffer) => {
    const response = Buffer.from(query)
    response.writeUInt16BE(0x8180 | code, 2)
    return response
  }
  const sendVia = (server: string) =>
    createHttpsSender({ denied: [], loopback: false, deadlineMs: 400, nameServers: [server] }).send(
      message('https://hooks.example.net/'),
      forever,
    )

  test.each([
    ['without records', withCode(0), 'has no address'],
    ['for a name that does not exist', withCode(3), 'no such host'],
    ['that refuses', withCode(5), 'could not be looked up'],
  ] as const)('an answer %s is named', async (_, answer, words) => {
    await expect(sendVia(await nameServer(answer))).rejects.toThrow(words)
  })

  test('name servers that never answer delay no other lookup of the process', async () => {
    const silent = await nameServer()
    const attempts = Array.from({ length: 16 }, () => sendVia(silent))
    const began = performance.now()
    await lookup('localhost')
    expect(performance.now() - began).toBeLessThan(300)
    const outcomes = await Promise.allSettled(attempts)
    expect(new Set(outcomes.map((one) => one.status === 'rejected' && String(one.reason)))).toEqual(
      new Set(['WebhookFailure: There was no answer within 0.4 seconds.']),
    )
  })
})

describe('where it never sends', () => {
  test.each([
    'http://example.net/',
    'ftp://example.net/',
    'https://user:pass@example.net/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[2002:a00:1::]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.100.100.200/',
    'https://168.63.129.16/',
    'https://192.168.1.1/',
    'https://0.0.0.0/',
    'https://255.255.255.255/',
    'https://224.0.0.1/',
    'nonsense',
  ])('%s is refused before anything is looked up', async (url) => {
    expect(open.denial(url)).not.toBeNull()
    await expect(open.send(message(url), forever)).rejects.toBeInstanceOf(WebhookFailure)
  })

  test('plain http is for loopback alone, and only where the demonstration allows it', () => {
    expect(local.denial('http://127.0.0.1:9/')).toBeNull()
    expect(local.denial('http://[::1]:9/')).toBeNull()
    expect(local.denial('http://localhost:9/')).not.toBeNull()
    expect(local.denial('http://1.1.1.1/')).not.toBeNull()
    expect(local.denial('http://10.0.0.1/')).not.toBeNull()
    expect(local.denial('https://10.0.0.1/')).not.toBeNull()
    expect(open.denial('http://127.0.0.1:9/')).not.toBeNull()
    expect(open.denial('https://hooks.example.net/in?a=b')).toBeNull()
  })

  test('networks of the operator are refused too', () => {
    const reach = { denied: [{ family: 4 as const, network: 0x01010100n, length: 24 }], loopback: false }
    expect(unreachable('1.1.1.7', reach)).toContain('of the operator')
    expect(unreachable('1.1.2.7', reach)).toBeNull()
  })

  test('a name that leads inside is refused, also when only one of its addresses does', async () => {
    const answers = [
      [{ address: '10.0.0.7', family: 4 }],
      [
        { address: '2001:4860:4860::8888', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ],
      [],
    ]
    for (const addresses of answers) {
      const sender = createHttpsSender({ denied: [], loopback: false, resolve: () => Promise.resolve(addresses) })
      await expect(sender.send(message('https://hooks.example.net/'), forever)).rejects.toThrow(
        /leads where|no address/,
      )
    }
  })

  test('a name that leads elsewhere the second time is judged by the answer that the connection uses', async () => {
    let reached = false
    const url = await receiver((_, response) => ((reached = true), response.end()))
    let asked = 0
    const sender = createHttpsSender({
      denied: [],
      loopback: false,
      deadlineMs: 400,
      // A public address at first, as an earlier check would see it; an internal one afterwards.
      resolve: () => Promise.resolve([{ address: asked++ === 0 ? '127.0.0.1' : '192.0.2.1', family: 4 }]),
    })
    const { port } = new URL(url)
    await expect(sender.send(message(`https://rebinding.example.net:${port}/`), forever)).rejects.toThrow('leads where')
    expect([reached, asked]).toEqual([false, 1])
  })
})

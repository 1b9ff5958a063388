import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../platform/log.ts'
import { mountErrorTunnel } from './error-tunnel.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts a collector of reports, and records what reaches it. */
async function collector(answer = 200) {
  const reports: { path: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      reports.push({ path: request.url!, headers: request.headers, body })
      response.writeHead(answer, { location: '/elsewhere' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return { reports, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function tunnel(dsn?: string): FastifyInstance {
  const app = fastify()
  mountErrorTunnel(app, { dsn, log: createLog('silent') })
  closing.push(() => app.close())
  return app
}
const report = (app: FastifyInstance, payload: string, remoteAddress = '127.0.0.1') =>
  app.inject({
    method: 'POST',
    remoteAddress,
    url: '/internal/errors',
    payload,
    headers: { 'content-type': 'text/plain', cookie: 'session=secret', authorization: 'Bearer secret' },
  })

describe('a report', () => {
  test('goes to the configured project, whatever project its envelope names, and takes no secrets along', async () => {
    const [ours, theirs] = [await collector(), await collector()]
    const envelope = `{"event_id":"1","dsn":"http://key@${theirs.host}/7"}\n{"type":"event"}\n{}`
    expect((await report(tunnel(`http://public@${ours.host}/app/42`), envelope)).statusCode).toBe(204)
    await expect.poll(() => ours.reports.length).toBe(1)
    const [seen] = ours.reports
    expect(seen).toMatchObject({ path: '/app/api/42/envelope/?sentry_key=public&sentry_version=7', body: envelope })
    expect(JSON.stringify(seen!.headers)).not.toContain('secret')
    expect(theirs.reports).toEqual([])
  })

  test('goes nowhere without a project, and no further than the project', async () => {
    const redirecting = await collector(307)
    expect((await report(tunnel(), '{"event_id":"1"}\n')).statusCode).toBe(204)
    expect((await report(tunnel(`http://k@${redirecting.host}/1`), '{"event_id":"1"}\n')).statusCode).toBe(204)
    await expect.poll(() => redirecting.reports.length).toBe(1)
    await sleep(50)
    expect(redirecting.reports).toHaveLength(1)
  })

  test('reports of one visitor are forwarded sixty times a minute, and dropped silently beyond', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00Z') })
    closing.push(() => vi.useRealTimers())
    const { reports, host } = await collector()
    const app = tunnel(`http://k@${host}/1`)
    const answers = await Promise.all(Array.from({ length: 70 }, () => report(app, '{"event_id":"1"}\n')))
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([204]))
    await expect.poll(() => reports.length).toBe(60)
    vi.setSystemTime(new Date('2026-06-01T12:01:00Z'))
    await report(app, '{"event_id":"2"}\n')
    await expect.poll(() => reports.length).toBe(61)
  })

  test('reports of one IPv6 network count as those of one visitor', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T13:00:00Z') })
    closing.push(() => vi.useRealTimers())
    const { reports, host } = await collector()
    const app = tunnel(`http://k@${host}/1`)
    const from = (n: number) => report(app, '{"event_id":"1"}\n', `2001:db8::${n.toString(16)}`)
    await Promise.all(Array.from({ length: 70 }, (_, n) => from(n + 1)))
    await expect.poll(() => reports.length).toBe(60)
    await report(app, '{"event_id":"2"}\n', '2001:db8:0:1::1')
    await expect.poll(() => reports.length).toBe(61)
  })

  test('is an envelope of bounded size', async () => {
    const app = tunnel()
    expect((await report(app, '[]\n')).statusCode).toBe(400)
    expect((await report(app, `{}\n${'x'.repeat(201 * 1024)}`)).statusCode).toBe(413)
  })
})

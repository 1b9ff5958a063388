import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../platform/db/testing.ts'
import { createHttp } from '../../platform/http/server.ts'
import { recordQuery, step } from '../../platform/trace.ts'
import { startTracing } from './index.ts'
import { readTraceParent } from './traceparent.ts'

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const spans: OtlpSpan[] = []
const seen: { authorization?: string | undefined; resource?: string; traceparent?: string | undefined } = {}
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url === '/v1/traces') {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { resource: unknown; scopeSpans: { spans: OtlpSpan[] }[] }[]
      }
      seen.authorization = request.headers['x-key'] as string | undefined
      seen.resource = JSON.stringify(body.resourceSpans[0]!.resource)
      spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    } else seen.traceparent = request.headers.traceparent as string | undefined
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
const address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
afterAll(() => {
  collector.close()
  collector.closeAllConnections()
})

const { db } = await testDatabase({ onQuery: recordQuery })
const { app } = await createHttp({
  config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
  log: pino({ level: 'silent' }),
  secretKey: 'k'.repeat(32),
  secure: false,
  authenticate: () => Promise.resolve(null),
})
const tracing = startTracing(app, {
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_HEADERS: { 'x-key': 'collector' },
  OTEL_SERVICE_NAME: 'longhaul-test',
  RELEASE: 'r1',
})
app.get('/api/things/:id', { config: { endpoint: 'GET /api/things/{id}' } }, () =>
  step('handler', async () => {
    await sql`select ${'a secret value'}::text`.execute(db)
    await fetch(`${address}/outside`)
    return 'done'
  }),
)

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const attribute = (span: OtlpSpan, key: string) => span.attributes.find((one) => one.key === key)?.value

test('requests and reconcile steps become spans that hang together, with nothing of anyone in them', async () => {
  const followed = await app.inject({ url: '/api/things/7?token=hush', headers: { traceparent: PARENT } })
  const outside = readTraceParent(seen.traceparent)
  const own = await app.inject({ url: '/api/things/8' })
  await app.inject({ url: '/api/things/9', headers: { traceparent: PARENT.replace(/01$/, '00') } })
  const reconciler = tracing.traced({
    name: 'birds',
    everyMs: 1,
    concurrency: 1,
    wakes: () => null,
    due: () => Promise.resolve([]),
    reconcile: async () => {
      await sql`select 1`.execute(db)
    },
  })
  await reconciler.reconcile(5, new AbortController().signal)
  await tracing.close()

  expect(seen.authorization).toBe('collector')
  expect(seen.resource).toContain('longhaul-test')
  const servers = spans.filter(({ name }) => name === 'GET /api/things/{id}')
  expect(servers).toHaveLength(2)
  const [first, second] = servers as [OtlpSpan, OtlpSpan]
  expect([first.traceId, first.parentSpanId]).toEqual(['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'])
  expect(second.traceId).toBe(String(own.headers['x-request-id']).replaceAll('-', ''))
  expect(attribute(first, 'longhaul.request_id')?.stringValue).toBe(followed.headers['x-request-id'])
  const handler = spans.find(({ name, traceId }) => name === 'handler' && traceId === first.traceId)!
  expect(handler.parentSpanId).toBe(first.spanId)
  expect(outside).toEqual({ traceId: first.traceId, spanId: handler.spanId, sampled: true })
  const query = spans.find(({ name, traceId }) => name === 'select' && traceId === first.traceId)!
  expect(attribute(query, 'db.query.text')?.stringValue).toBe('select $1::text')
  expect(spans.map(({ name }) => name)).toContain('reconcile birds')
  expect(JSON.stringify(spans)).not.toMatch(/secret value|hush/)
})

test.each([
  undefined,
  '',
  'nonsense',
  PARENT.replace('00-', 'ff-'),
  PARENT.replace(/-[0-9a-f]{32}-/, `-${'0'.repeat(32)}-`),
])('a traceparent of %j is as if nothing had been sent', (header) => {
  expect(readTraceParent(header)).toBeNull()
})

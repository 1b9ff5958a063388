/** `/metrics` in the text format of Prometheus, for requests from this host or with the token. */
import type { FastifyInstance } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import { notFound } from '../kernel/problem.ts'
import { isFromHere } from '../platform/http/loopback.ts'

export function createMetrics(app: FastifyInstance, { token }: { token: string | undefined }): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'longhaul_' })
  const requests = new Histogram({
    name: 'longhaul_http_request_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['endpoint', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'longhaul_http_failures_total',
    help: 'Answers with status 500: faults of ours',
    labelNames: ['endpoint'],
    registers: [registry],
  })
  // increase() sees only a change: a series that began with 1 would hide the first failure.
  failures.inc({ endpoint: 'other' }, 0)
  app.addHook('onRoute', ({ config }) => {
    if (config?.endpoint) failures.inc({ endpoint: config.endpoint }, 0)
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Label with the endpoint, not the URL: a scanner must not be able to fill the registry.
    const endpoint = request.routeOptions.config.endpoint ?? 'other'
    requests.observe({ endpoint, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (reply.statusCode === 500) failures.inc({ endpoint })
    done()
  })
  app.get('/metrics', { config: { endpoint: 'GET /metrics', unauthenticated: true } }, async (request, reply) => {
    const may = token === undefined ? isFromHere(request) : presents(request.headers.authorization, token)
    if (!may) throw notFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}

function presents(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

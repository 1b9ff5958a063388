/**
 * The server side of the developer bar: sends the id of each staff request in `profiler-ids`, and returns its timings
 * to the user who made it.
 */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { forbidden, malformed, notFound, unauthorized } from '../kernel/problem.ts'
import { requireScope, requireStaff } from '../platform/http/principal.ts'
import { createRequestLog, describeRequest } from './request-log.ts'

const HEADER = 'profiler-ids'
const RESULTS = '/mini-profiler-resources/results'
const form = z.object({ id: z.string().min(1), popup: z.string().optional() })

export function mountProfiler(app: FastifyInstance): void {
  const log = createRequestLog()

  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.principal?.isAdmin && !request.url.startsWith(RESULTS)) reply.header(HEADER, request.id)
    done()
  })
  // Stored before the response is sent, so that a browser that asks at once finds it.
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { principal } = request
    if (principal?.isAdmin && !request.url.startsWith(RESULTS)) {
      const durationMs = performance.now() - request.trace.began
      const startedAt = new Date(Date.now() - durationMs)
      const path = request.url.split('?', 1)[0]!
      log.keep(
        principal.userId,
        describeRequest(request.trace, { method: request.method, path, startedAt, durationMs }),
      )
    }
    done(null, payload)
  })

  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4_096 },
      (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    scope.post(RESULTS, { config: { endpoint: `POST ${RESULTS}`, scriptOnly: true } }, (request, reply) => {
      if (!request.principal) throw unauthorized()
      requireStaff(request.principal)
      requireScope(request.principal, 'staff:read')
      // A form can be posted across sites, but it cannot set this header.
      if (request.headers['x-requested-with'] !== 'XMLHttpRequest')
        throw forbidden('Send X-Requested-With: XMLHttpRequest.')
      const asked = form.safeParse(request.body)
      if (!asked.success) throw malformed('Send the form fields id and popup=0.')
      const entry = log.read(request.principal.userId, asked.data.id)
      if (!entry) throw notFound()
      return reply.send(entry)
    })
    done()
  })
}

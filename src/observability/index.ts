/** What the operator's people see of the running product: timings of their requests, error reports, metrics. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { mountErrorTunnel } from './error-tunnel.ts'
import { mountMetrics } from './metrics.ts'
import { mountProfiler } from './profiler.ts'

export interface ObservabilityDeps {
  readonly config: Pick<Config, 'SENTRY_DSN' | 'METRICS_TOKEN'>
  readonly log: Log
}

/** Registers its hooks on the whole application: call it before the slices mount their routes. */
export function observabilityRoutes(app: FastifyInstance, { config, log }: ObservabilityDeps): void {
  mountProfiler(app)
  mountErrorTunnel(app, { dsn: config.SENTRY_DSN, log })
  mountMetrics(app, { token: config.METRICS_TOKEN })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        requestId: request.id,
        endpoint: request.routeOptions.config.endpoint,
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        userId: request.principal?.userId,
      },
      'answered',
    )
    done()
  })
}

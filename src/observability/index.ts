/** What the operator's staff see of the running product: timings of their requests, error reports, metrics. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import type { Log } from '../platform/log.ts'
import type { ReconcilerStats } from '../platform/reconcile.ts'
import { mountErrorTunnel } from './error-tunnel.ts'
import { addGauges } from './gauges.ts'
import { createMetrics } from './metrics.ts'
import { mountProfiler } from './profiler.ts'

export interface ObservabilityDeps {
  readonly config: Pick<Config, 'SENTRY_DSN' | 'METRICS_TOKEN'>
  readonly log: Log
  readonly db: Db
  readonly clock: Clock
  readonly reconcilerStats: ReconcilerStats
}

/**
 * Serves the metrics of a process, also of one that serves no visitors. Registers its hooks on the whole application.
 */
export function mountMetrics(
  app: FastifyInstance,
  {
    config,
    db,
    clock,
    reconcilerStats,
  }: Pick<ObservabilityDeps, 'db' | 'clock' | 'reconcilerStats'> & { config: Pick<Config, 'METRICS_TOKEN'> },
): void {
  addGauges(createMetrics(app, { token: config.METRICS_TOKEN }), { db, clock, reconcilerStats })
}

/** Registers its hooks on the whole application: call it before the slices mount their routes. */
export function observabilityRoutes(
  app: FastifyInstance,
  { config, log, db, clock, reconcilerStats }: ObservabilityDeps,
): void {
  mountProfiler(app)
  mountErrorTunnel(app, { dsn: config.SENTRY_DSN, log })
  mountMetrics(app, { config, db, clock, reconcilerStats })
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

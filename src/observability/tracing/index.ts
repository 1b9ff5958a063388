/**
 * Traces by OTLP over HTTP, for operators who have a collector; loaded only when one is configured. When a request is
 * over, the steps gathered for the developer bar become spans, so nothing is recorded twice. Our traces never contain
 * SQL values, URLs with their queries, or bodies, so none of these can be exported.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as traceApi, TraceFlags } from '@opentelemetry/api'
import type { Attributes, Context, Span } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Config } from '../../platform/config.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { beginTrace, withTrace, type Trace, type TraceStep } from '../../platform/trace.ts'
import { adopt, parentOf, spanIdOf, traceIdOf } from './identities.ts'
import { traceOutgoing } from './outgoing.ts'
import { readTraceParent } from './traceparent.ts'

export interface Tracing {
  /** Returns a reconciler that does the same, with a trace for each step. */
  traced(reconciler: Reconciler): Reconciler
  close(): Promise<void>
}

export type TracingConfig = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_SERVICE_NAME' | 'RELEASE'
>

const EXPORT_TIMEOUT_MS = 5_000
const SQL_LENGTH = 2_000

export function startTracing(app: FastifyInstance, config: TracingConfig): Tracing {
  // The ids of the next span, set by the code that starts it: see identities.ts.
  let next: { traceId: string; spanId: string } | undefined
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME,
      'service.version': config.RELEASE,
    }),
    idGenerator: {
      generateTraceId: () => next?.traceId ?? randomBytes(16).toString('hex'),
      generateSpanId: () => next?.spanId ?? randomBytes(8).toString('hex'),
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT!.replace(/\/$/, '')}/v1/traces`,
          headers: { ...config.OTEL_EXPORTER_OTLP_HEADERS },
          timeoutMillis: EXPORT_TIMEOUT_MS,
        }),
        scheduledDelayMillis: 2_000,
      }),
    ],
  })
  const tracer = provider.getTracer('longhaul')
  const silence = traceOutgoing()

  const start = (
    trace: Trace,
    step: TraceStep,
    name: string,
    on: Context,
    kind: SpanKind,
    attributes: Attributes,
  ): Span => {
    next = { traceId: traceIdOf(trace), spanId: spanIdOf(step) }
    try {
      return tracer.startSpan(name, { startTime: wall(trace, step.startedAt), kind, attributes }, on)
    } finally {
      next = undefined
    }
  }

  const emit = (
    trace: Trace,
    reported: { name: string; kind: SpanKind; attributes: Attributes; failed: boolean },
  ): void => {
    const parent = parentOf(trace)
    if (parent && !parent.sampled) return
    const outer = parent
      ? traceApi.setSpanContext(ROOT_CONTEXT, {
          traceId: parent.traceId,
          spanId: parent.spanId,
          traceFlags: TraceFlags.SAMPLED,
          isRemote: true,
        })
      : ROOT_CONTEXT
    const root = start(trace, trace.root, reported.name, outer, reported.kind, reported.attributes)
    if (reported.failed) root.setStatus({ code: SpanStatusCode.ERROR })
    const below = traceApi.setSpan(outer, root)
    const emitSteps = (steps: readonly TraceStep[], on: Context): void => {
      for (const step of steps) {
        const span = start(trace, step, step.name, on, SpanKind.INTERNAL, {})
        emitSteps(step.children, traceApi.setSpan(on, span))
        span.end(wall(trace, step.startedAt + step.duration))
      }
    }
    emitSteps(trace.root.children, below)
    for (const { startedAt, duration, sql } of trace.queries) {
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql.slice(0, SQL_LENGTH) }
      const options = { startTime: wall(trace, startedAt), kind: SpanKind.CLIENT, attributes }
      tracer.startSpan(sql.trim().split(/\s/, 1)[0] ?? 'query', options, below).end(wall(trace, startedAt + duration))
    }
    root.end(wall(trace, trace.root.duration))
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const parent = readTraceParent(request.headers.traceparent)
    if (parent) adopt(request.trace, parent)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.trace.root.duration = reply.elapsedTime
    // The contract's key, not the URL, as in the request log: it contains no customer data.
    const endpoint = request.routeOptions.config.endpoint ?? 'other'
    const attributes: Attributes = {
      'http.request.method': request.method,
      'http.route': endpoint.split(' ').at(-1) ?? endpoint,
      'http.response.status_code': reply.statusCode,
      'longhaul.request_id': request.id,
      ...(request.principal && { 'longhaul.user_id': request.principal.userId }),
    }
    emit(request.trace, { name: endpoint, kind: SpanKind.SERVER, attributes, failed: reply.statusCode >= 500 })
    done()
  })

  return {
    traced: (reconciler) => ({
      ...reconciler,
      async reconcile(id, signal) {
        const trace = beginTrace(randomUUID(), `reconcile ${reconciler.name}`)
        let failed = true
        try {
          const outcome = await withTrace(trace, () => reconciler.reconcile(id, signal))
          failed = false
          return outcome
        } finally {
          trace.root.duration = performance.now() - trace.began
          const attributes = { 'longhaul.reconciler': reconciler.name, 'longhaul.row': id }
          emit(trace, { name: trace.root.name, kind: SpanKind.INTERNAL, attributes, failed })
        }
      },
    }),
    async close() {
      silence()
      // An unreachable collector must not delay the shutdown.
      await provider.shutdown().catch(() => undefined)
    },
  }
}

const wall = (trace: Trace, startedAt: number): number => performance.timeOrigin + trace.began + startedAt

/**
 * Adds `traceparent` to every request that leaves by fetch or node:http, so that outgoing calls belong to the trace
 * that caused them.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { currentTrace } from '../../platform/trace.ts'
import { parentOf, spanIdOf, traceIdOf } from './identities.ts'
import { writeTraceParent } from './traceparent.ts'

interface FetchRequest {
  addHeader(name: string, value: string): void
}

/** Traces until the returned function is called. */
export function traceOutgoing(): () => void {
  const header = (): string | null => {
    const trace = currentTrace()
    if (!trace) return null
    const sampled = parentOf(trace)?.sampled ?? true
    return writeTraceParent({ traceId: traceIdOf(trace), spanId: spanIdOf(trace.current), sampled })
  }
  const onFetch = (message: unknown): void => {
    const value = header()
    if (value) (message as { request: FetchRequest }).request.addHeader('traceparent', value)
  }
  const onHttp = (message: unknown): void => {
    const { request } = message as { request: ClientRequest }
    const value = header()
    if (value && !request.headersSent && !request.hasHeader('traceparent')) request.setHeader('traceparent', value)
  }
  subscribe('undici:request:create', onFetch)
  subscribe('http.client.request.created', onHttp)
  return () => {
    unsubscribe('undici:request:create', onFetch)
    unsubscribe('http.client.request.created', onHttp)
  }
}

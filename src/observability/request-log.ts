/**
 * The timings of staff requests, for the developer bar: bounded in memory, and readable only by the user who made the
 * request. SQL is kept with its placeholders; the trace never has the values.
 */
import type { Trace, TraceStep } from '../platform/trace.ts'
import type { RequestLogEntry, TimingNode } from './request-log-entry.ts'

export interface RequestLog {
  keep(ownerId: number, entry: RequestLogEntry): void
  /** Returns null for an unknown id and for another user's request alike. */
  read(ownerId: number, id: string): RequestLogEntry | null
}

/** A page makes a handful of requests and fetches their timings at once, so a few pages for each user are enough. */
const PER_USER = 200
const MAX_USERS = 50
const SQL_LENGTH = 4_000

export function createRequestLog(): RequestLog {
  // Maps keep insertion order, so the first key is the oldest.
  const users = new Map<number, Map<string, RequestLogEntry>>()
  return {
    keep(ownerId, entry) {
      const entries = users.get(ownerId) ?? new Map<string, RequestLogEntry>()
      users.delete(ownerId)
      users.set(ownerId, entries)
      entries.set(entry.id, entry)
      dropOldest(entries, PER_USER)
      dropOldest(users, MAX_USERS)
    },
    read: (ownerId, id) => users.get(ownerId)?.get(id) ?? null,
  }
}

function dropOldest(map: Map<unknown, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}

export function describeRequest(
  trace: Trace,
  request: { method: string; path: string; startedAt: Date; durationMs: number },
): RequestLogEntry {
  let nodes = 0
  const node = (step: TraceStep, durationMs = step.duration): TimingNode => ({
    id: `${trace.id}-${nodes++}`,
    name: step.name,
    start_milliseconds: round(step.startedAt),
    duration_milliseconds: round(durationMs),
    children: step.children.map((child) => node(child)),
  })
  return {
    id: trace.id,
    request_method: request.method,
    request_path: request.path,
    duration_milliseconds: round(request.durationMs),
    started_at: request.startedAt.toISOString(),
    sql_count: trace.queries.length,
    sql_timings: trace.queries.map((query, index) => ({
      id: `${trace.id}-sql-${index}`,
      start_milliseconds: round(query.startedAt),
      duration_milliseconds: round(query.duration),
      formatted_command_string: query.sql.length > SQL_LENGTH ? `${query.sql.slice(0, SQL_LENGTH)} …` : query.sql,
    })),
    root: node(trace.root, request.durationMs),
  }
}

const round = (ms: number): number => Math.round(ms * 100) / 100

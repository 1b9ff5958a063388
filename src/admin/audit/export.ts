/** The audit log as a download, streamed because it may be larger than memory. */
import { csvLine } from '../../kernel/csv.ts'
import type { Db } from '../../platform/db/index.ts'
import type { AuditFilter, StaffAuditEvent } from './contract.ts'
import { findEvents } from './find-events.ts'

const BATCH = 1_000

async function* batches(db: Db, filter: AuditFilter): AsyncGenerator<readonly StaffAuditEvent[]> {
  for (let before: number | undefined; ;) {
    const { events, next } = await findEvents(db, filter, { before, limit: BATCH })
    yield events
    if (next === null) return
    before = next
  }
}

const HEADER = 'id at actor_kind actor_id actor_email action subject_type subject_id user_id ip request_id data'.split(
  ' ',
)

export async function* writeCsv(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(HEADER)
  for await (const events of batches(db, filter)) yield events.map((event) => csvLine(cellsOf(event))).join('')
}

const cellsOf = ({ id, at, actor, action, subject, userId, ip, requestId, data }: StaffAuditEvent): string[] =>
  [id, at, actor.kind, actor.id, actor.email, action, subject.type, subject.id, userId, ip, requestId]
    .map((value) => String(value ?? ''))
    .concat(JSON.stringify(data))

/** Writes one array, with one event per line. */
export async function* writeJson(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const events of batches(db, filter)) {
    for (const event of events) {
      yield separator + JSON.stringify(event)
      separator = ',\n'
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

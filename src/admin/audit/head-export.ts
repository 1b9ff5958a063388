/**
 * Exports the head of the audit log's hash chain out of the database every ten minutes: to the process log, and to
 * the receiver in `AUDIT_SYSLOG`. An attacker who rewrites the whole chain cannot change what was exported (decision
 * 38).
 */
import type { Clock } from '../../kernel/clock.ts'
import { sendToSyslog, type SyslogReceiver } from '../../drivers/syslog/index.ts'
import { describeHead } from '../../platform/audit-chain.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { sql } from 'kysely'

export const EXPORT_EVERY_MS = 600_000
const ONLY = 1

export interface HeadExportDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly receiver: SyslogReceiver | null
}

export function headExportReconciler({ db, clock, log, receiver }: HeadExportDeps): Reconciler {
  let exportedAt = Number.NEGATIVE_INFINITY
  return {
    name: 'audit-head-export',
    everyMs: 60_000,
    concurrency: 1,
    wakes: () => null,
    due: () => Promise.resolve(clock.now().getTime() - exportedAt >= EXPORT_EVERY_MS ? [ONLY] : []),
    async reconcile() {
      const { rows } = await sql<{ position: number; hash: string }>`
        select position, encode(hash, 'hex') as hash from audit_head`.execute(db)
      const text = describeHead(rows[0]!)
      log.info(text)
      if (receiver) await sendToSyslog(receiver, text, clock.now())
      exportedAt = clock.now().getTime()
    },
  }
}

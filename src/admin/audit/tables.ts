import type { UserId } from '../../kernel/ids.ts'
import type { Generated } from 'kysely'

export interface AuditVerificationsTable {
  id: Generated<number>
  requested_by: UserId | null
  requested_at: Date
  position: Generated<number>
  total: number
  finished_at: Generated<Date | null>
  head_hash: Generated<string | null>
  faults: Generated<string[] | null>
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    audit_verifications: AuditVerificationsTable
  }
}

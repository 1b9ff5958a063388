/** Audit log queries for staff. */
import { createClient } from '../../../ui/runtime/client.ts'
import type { AuditApi } from '../../audit/contract.ts'

export type { AuditVerification, StaffAuditEvent } from '../../audit/contract.ts'

export const auditLog = createClient<AuditApi>({
  topics: { 'GET /api/admin/audit_verification': ['audit_verification', 'user', 'router', 'prefix'] },
})

export const verification = () => auditLog.query['GET /api/admin/audit_verification']()
export const actions = () => auditLog.query['GET /api/admin/audit_actions']()

/** The trail, as the screens of staff read it. */
import { createClient } from '../../../portal/client.ts'
import type { AuditApi } from '../../audit/contract.ts'

export type { AuditVerification, StaffAuditEvent } from '../../audit/contract.ts'

export const trail = createClient<AuditApi>({
  news: { 'GET /api/admin/audit_verification': ['audit_verification', 'user', 'router', 'prefix'] },
})

export const verification = () => trail.query['GET /api/admin/audit_verification']()
export const actions = () => trail.query['GET /api/admin/audit_actions']()

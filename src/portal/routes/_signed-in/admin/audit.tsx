import { createFileRoute } from '@tanstack/react-router'
import { auditSearch } from '../../../../admin/portal/audit/audit-search.ts'
import { AuditPage } from '../../../../admin/portal/audit/AuditPage.tsx'
import { loadAudit } from '../../../../admin/portal/loaders.ts'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/audit')({
  validateSearch: auditSearch,
  loader: loadAudit,
  head: titled('Audit'),
  component: AuditPage,
})

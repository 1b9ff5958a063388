import { createFileRoute } from '@tanstack/react-router'
import type { AuditSearch } from '../../../ui/staff/audit-search.ts'
import { AuditPage } from '../../../admin/portal/audit/AuditPage.tsx'
import { loadAudit } from '../../../admin/portal/loaders.ts'
import { titled } from '../../../ui/runtime/title.ts'
import { deferSearchParsing } from '../../-defer-search-parsing.ts'

export const Route = createFileRoute('/_signed-in/admin/audit')({
  validateSearch: deferSearchParsing<AuditSearch & { search?: string }>(),
  loader: loadAudit,
  head: titled('Audit log'),
  component: AuditPage,
})

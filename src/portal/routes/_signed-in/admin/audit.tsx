import { createFileRoute } from '@tanstack/react-router'
import type { AuditSearch } from '../../../../admin/portal/audit/audit-search.ts'
import { AuditPage } from '../../../../admin/portal/audit/AuditPage.tsx'
import { loadAudit } from '../../../../admin/portal/loaders.ts'
import { titled } from '../../../title.ts'
import { readByScreen } from '../../-read-by-screen.ts'

export const Route = createFileRoute('/_signed-in/admin/audit')({
  validateSearch: readByScreen<AuditSearch & { search?: string }>(),
  loader: loadAudit,
  head: titled('Audit'),
  component: AuditPage,
})

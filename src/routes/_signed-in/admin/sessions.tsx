import { createFileRoute } from '@tanstack/react-router'
import { SessionListPage } from '../../../transit/portal/staff/SessionListPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'
import { listSearch } from '../../-list-search.ts'

export const Route = createFileRoute('/_signed-in/admin/sessions')({
  validateSearch: ({
    status,
    ...raw
  }: Record<string, unknown>): { status?: string; search?: string; sort?: string } => ({
    ...(typeof status === 'string' && status !== '' && { status }),
    ...listSearch(raw),
  }),
  head: titled('Sessions'),
  component: SessionListPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { loadPolicy } from '../../../../transit/portal/staff/loaders.ts'
import { PolicyPage } from '../../../../transit/portal/staff/policy/PolicyPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/approval-policy')({
  loader: loadPolicy,
  head: titled('Approval policy'),
  component: PolicyPage,
})

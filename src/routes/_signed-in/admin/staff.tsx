import { createFileRoute } from '@tanstack/react-router'
import { loadStaff } from '../../../accounts/portal/staff/loaders.ts'
import { StaffPage } from '../../../accounts/portal/staff/StaffPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/staff')({
  loader: loadStaff,
  head: titled('Team'),
  component: StaffPage,
})

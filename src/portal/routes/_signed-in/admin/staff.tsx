import { createFileRoute } from '@tanstack/react-router'
import { loadStaff } from '../../../../admin/portal/loaders.ts'
import { StaffPage } from '../../../../admin/portal/staff/StaffPage.tsx'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/staff')({
  loader: loadStaff,
  head: titled('Staff'),
  component: StaffPage,
})

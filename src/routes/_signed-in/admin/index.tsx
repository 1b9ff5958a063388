import { createFileRoute } from '@tanstack/react-router'
import { loadDashboard } from '../../../admin/portal/loaders.ts'
import { DashboardPage } from '../../../admin/portal/DashboardPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/')({
  loader: loadDashboard,
  head: titled('Dashboard'),
  component: DashboardPage,
})

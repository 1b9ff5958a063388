import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage } from '../../../../admin/portal/DashboardPage.tsx'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/')({
  head: titled('Dashboard'),
  component: DashboardPage,
})

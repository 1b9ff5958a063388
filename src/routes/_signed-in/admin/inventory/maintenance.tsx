import { createFileRoute } from '@tanstack/react-router'
import { loadMaintenance } from '../../../../transit/portal/staff/loaders.ts'
import { MaintenancePage } from '../../../../transit/portal/staff/maintenance/MaintenancePage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/maintenance')({
  loader: loadMaintenance,
  head: titled('Maintenance'),
  component: MaintenancePage,
})

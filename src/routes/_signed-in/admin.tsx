import { createFileRoute } from '@tanstack/react-router'
import { AdminLayout } from '../../admin/portal/AdminLayout.tsx'
import { loadSystem } from '../../admin/portal/loaders.ts'
import { requireAdmin } from '../../ui/runtime/guards.ts'

export const Route = createFileRoute('/_signed-in/admin')({
  beforeLoad: requireAdmin,
  loader: loadSystem,
  component: AdminLayout,
})

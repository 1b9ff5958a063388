import { createFileRoute } from '@tanstack/react-router'
import { loadSites } from '../../../../routers/portal/staff/loaders.ts'
import { SitesPage } from '../../../../routers/portal/staff/inventory/SitesPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/')({
  loader: loadSites,
  head: titled('Sites'),
  component: SitesPage,
})

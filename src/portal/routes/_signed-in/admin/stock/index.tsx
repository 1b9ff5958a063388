import { createFileRoute } from '@tanstack/react-router'
import { loadSites } from '../../../../../admin/portal/loaders.ts'
import { SitesPage } from '../../../../../admin/portal/stock/SitesPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/stock/')({
  loader: loadSites,
  head: titled('Sites'),
  component: SitesPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { loadSiteContent } from '../../../../admin/portal/loaders.ts'
import { SiteContentPage } from '../../../../admin/portal/site-content/SiteContentPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/site-content')({
  loader: loadSiteContent,
  head: titled('Site content'),
  component: SiteContentPage,
})

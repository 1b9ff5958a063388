import { createFileRoute } from '@tanstack/react-router'
import { loadHypervisors } from '../../../../routers/portal/staff/loaders.ts'
import { HypervisorsPage } from '../../../../routers/portal/staff/inventory/HypervisorsPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/hypervisors/')({
  loader: loadHypervisors,
  head: titled('Hypervisors'),
  component: HypervisorsPage,
})

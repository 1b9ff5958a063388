import { createFileRoute } from '@tanstack/react-router'
import { loadHypervisors } from '../../../../../admin/portal/loaders.ts'
import { HypervisorsPage } from '../../../../../admin/portal/stock/HypervisorsPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/stock/hypervisors/')({
  loader: loadHypervisors,
  head: titled('Hypervisors'),
  component: HypervisorsPage,
})

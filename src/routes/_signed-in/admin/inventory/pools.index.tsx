import { createFileRoute } from '@tanstack/react-router'
import { loadPools } from '../../../../routers/portal/staff/loaders.ts'
import { PoolsPage } from '../../../../routers/portal/staff/inventory/PoolsPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/pools/')({
  loader: loadPools,
  head: titled('Address pools'),
  component: PoolsPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { loadPools } from '../../../../../admin/portal/loaders.ts'
import { PoolsPage } from '../../../../../admin/portal/stock/PoolsPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/stock/pools/')({
  loader: loadPools,
  head: titled('Address pools'),
  component: PoolsPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { loadPools } from '../../../../../admin/portal/loaders.ts'
import { PoolPage } from '../../../../../admin/portal/stock/PoolPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/stock/pools/$id')({
  params: integerId,
  loader: loadPools,
  head: titled('Address pool'),
  component: PoolPage,
})

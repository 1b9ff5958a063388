import { createFileRoute } from '@tanstack/react-router'
import { loadPools } from '../../../../routers/portal/staff/loaders.ts'
import { PoolPage } from '../../../../routers/portal/staff/inventory/PoolPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/pools/$id')({
  params: integerId,
  loader: loadPools,
  head: titled('Address pool'),
  component: PoolPage,
})

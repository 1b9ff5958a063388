import { createFileRoute } from '@tanstack/react-router'
import { loadRevenue } from '../../../billing/portal/staff/loaders.ts'
import { RevenuePage } from '../../../billing/portal/staff/RevenuePage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/revenue')({
  validateSearch: ({ month, user }: Record<string, unknown>): { month?: string; user?: number } => {
    if (typeof month !== 'string' || !/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) return {}
    return { month, ...(typeof user === 'number' && Number.isSafeInteger(user) && user > 0 && { user }) }
  },
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => loadRevenue(deps.month, deps.user),
  head: titled('Revenue'),
  component: RevenuePage,
})

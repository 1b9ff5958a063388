import { createFileRoute } from '@tanstack/react-router'
import { loadRouters } from '../../../../routers/portal/staff/loaders.ts'
import type { RouterSearch } from '../../../../routers/portal/staff/router-search.ts'
import { RouterListPage } from '../../../../routers/portal/staff/RouterListPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { listSearch } from '../../../-list-search.ts'

export const Route = createFileRoute('/_signed-in/admin/routers/')({
  validateSearch: ({ state, site, hypervisor, ...raw }: Record<string, unknown>): RouterSearch => ({
    ...(state !== undefined && state !== '' && { state: typeof state === 'string' ? state : JSON.stringify(state) }),
    ...(isId(site) && { site }),
    ...(isId(hypervisor) && { hypervisor }),
    ...listSearch(raw),
  }),
  // Not the search text: while the user types, the rows stay.
  loaderDeps: ({ search: { state, site, hypervisor } }) => ({ state, site, hypervisor }),
  loader: ({ deps, location }) => loadRouters({ ...deps, ...listSearch(location.search) }),
  head: titled('Router list'),
  component: RouterListPage,
})

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

import { createFileRoute } from '@tanstack/react-router'
import { loadRouters } from '../../../../../admin/portal/loaders.ts'
import type { RouterSearch } from '../../../../../admin/portal/routers/router-search.ts'
import { RouterListPage } from '../../../../../admin/portal/routers/RouterListPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/routers/')({
  validateSearch: ({ state, site, hypervisor }: Record<string, unknown>): RouterSearch => ({
    ...(state !== undefined && state !== '' && { state: typeof state === 'string' ? state : JSON.stringify(state) }),
    ...(isId(site) && { site }),
    ...(isId(hypervisor) && { hypervisor }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => loadRouters(deps),
  head: titled('Router list'),
  component: RouterListPage,
})

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

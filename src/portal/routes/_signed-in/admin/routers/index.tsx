import { createFileRoute } from '@tanstack/react-router'
import { loadRouters } from '../../../../../admin/portal/loaders.ts'
import { readRouterSearch } from '../../../../../admin/portal/routers/router-search.ts'
import { RouterListPage } from '../../../../../admin/portal/routers/RouterListPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/routers/')({
  validateSearch: readRouterSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => loadRouters(deps),
  head: titled('Router list'),
  component: RouterListPage,
})

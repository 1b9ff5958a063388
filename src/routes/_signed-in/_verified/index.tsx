import { createFileRoute } from '@tanstack/react-router'
import { loadRouters } from '../../../routers/portal/loaders.ts'
import { RouterListPage } from '../../../routers/portal/RouterListPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/_verified/')({
  head: titled('Routers'),
  loader: loadRouters,
  component: RouterListPage,
})

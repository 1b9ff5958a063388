import { createFileRoute } from '@tanstack/react-router'
import { RouterListPage } from '../../../../routers/portal/RouterListPage.tsx'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/_verified/')({
  head: titled('Routers'),
  component: RouterListPage,
})

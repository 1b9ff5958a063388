import { createFileRoute } from '@tanstack/react-router'
import { loadEdges } from '../../../../../admin/portal/loaders.ts'
import { EdgesPage } from '../../../../../admin/portal/stock/EdgesPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/stock/edges')({
  loader: loadEdges,
  head: titled('Edges'),
  component: EdgesPage,
})

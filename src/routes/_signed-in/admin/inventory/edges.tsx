import { createFileRoute } from '@tanstack/react-router'
import { loadEdges } from '../../../../transit/portal/staff/loaders.ts'
import { EdgesPage } from '../../../../transit/portal/staff/edges/EdgesPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/edges')({
  loader: loadEdges,
  head: titled('Edges'),
  component: EdgesPage,
})

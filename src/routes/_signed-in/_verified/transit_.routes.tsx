import { createFileRoute } from '@tanstack/react-router'
import { RoutesPage } from '../../../transit/portal/looking-glass/RoutesPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/_verified/transit_/routes')({
  head: titled('Routes'),
  component: RoutesPage,
})

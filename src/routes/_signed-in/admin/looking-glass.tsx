import { createFileRoute } from '@tanstack/react-router'
import { edges } from '../../../transit/portal/staff/api.ts'
import { LookingGlassPage } from '../../../transit/portal/staff/LookingGlassPage.tsx'
import { queryClient } from '../../../ui/live/query-client.ts'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/looking-glass')({
  head: titled('Looking glass'),
  loader: () => queryClient.ensureQueryData(edges()),
  component: LookingGlassPage,
})

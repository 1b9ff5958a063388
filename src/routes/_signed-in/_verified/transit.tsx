import { createFileRoute } from '@tanstack/react-router'
import { loadTransit } from '../../../transit/portal/loaders.ts'
import { TransitPage } from '../../../transit/portal/TransitPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/_verified/transit')({
  head: titled('IP Transit'),
  loader: loadTransit,
  component: TransitPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { ServiceUnavailablePage } from '../../ui/screens/ServiceUnavailablePage.tsx'
import { titled } from '../../ui/runtime/title.ts'

export const Route = createFileRoute('/errors/502')({
  head: titled('Service Unavailable'),
  component: ServiceUnavailablePage,
})

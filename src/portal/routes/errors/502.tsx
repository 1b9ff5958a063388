import { createFileRoute } from '@tanstack/react-router'
import { ServiceUnavailablePage } from '../../screens/ServiceUnavailablePage.tsx'
import { titled } from '../../title.ts'

export const Route = createFileRoute('/errors/502')({
  head: titled('Service Unavailable'),
  component: ServiceUnavailablePage,
})

import { createFileRoute } from '@tanstack/react-router'
import { ApiReferencePage } from '../reference/ApiReferencePage.tsx'
import { titled } from '../title.ts'

export const Route = createFileRoute('/api-reference')({
  head: titled('API Reference'),
  component: ApiReferencePage,
})

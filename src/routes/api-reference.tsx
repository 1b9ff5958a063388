import { createFileRoute } from '@tanstack/react-router'
import { ApiReferencePage } from '../ui/reference/ApiReferencePage.tsx'
import { titled } from '../ui/runtime/title.ts'

export const Route = createFileRoute('/api-reference')({
  head: titled('API Reference'),
  component: ApiReferencePage,
})

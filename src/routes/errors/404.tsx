import { createFileRoute } from '@tanstack/react-router'
import { NotFoundScreen } from '../../ui/screens/NotFoundPage.tsx'
import { titled } from '../../ui/runtime/title.ts'

export const Route = createFileRoute('/errors/404')({ head: titled('Page Not Found'), component: NotFoundScreen })

import { createFileRoute } from '@tanstack/react-router'
import { NotFoundScreen } from '../../screens/NotFoundPage.tsx'
import { titled } from '../../title.ts'

export const Route = createFileRoute('/errors/404')({ head: titled('Page Not Found'), component: NotFoundScreen })

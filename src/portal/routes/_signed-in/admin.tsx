import { createFileRoute } from '@tanstack/react-router'
import { requireAdmin } from '../../guards.ts'

export const Route = createFileRoute('/_signed-in/admin')({ beforeLoad: requireAdmin })

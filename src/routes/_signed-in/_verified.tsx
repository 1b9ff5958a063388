import { createFileRoute } from '@tanstack/react-router'
import { requireVerifiedAsn } from '../../ui/runtime/guards.ts'

export const Route = createFileRoute('/_signed-in/_verified')({ beforeLoad: requireVerifiedAsn })

import { createFileRoute, redirect } from '@tanstack/react-router'
import { integerId } from '../../../-integer-id.ts'

/** The former address of a host's second page. */
export const Route = createFileRoute('/_signed-in/admin/inventory/hypervisors/$id')({
  params: integerId,
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/admin/hypervisors/$id', params, replace: true })
  },
})

import { createFileRoute } from '@tanstack/react-router'
import { HypervisorPage } from '../../../../../admin/portal/HypervisorPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/hypervisors/$id')({
  params: integerId,
  head: titled('Hypervisor'),
  component: HypervisorPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { loadUser } from '../../../../accounts/portal/staff/loaders.ts'
import { UserPage } from '../../../../admin/portal/UserPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/users/$id/')({
  params: integerId,
  loader: ({ params }) => loadUser(params.id),
  head: titled('User detail'),
  component: UserPage,
})

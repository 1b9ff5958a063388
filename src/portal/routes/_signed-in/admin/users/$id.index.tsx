import { createFileRoute } from '@tanstack/react-router'
import { UserPage } from '../../../../../admin/portal/UserPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/users/$id/')({
  params: integerId,
  head: titled('User'),
  component: UserPage,
})

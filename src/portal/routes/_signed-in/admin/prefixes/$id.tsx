import { createFileRoute } from '@tanstack/react-router'
import { PrefixPage } from '../../../../../admin/portal/PrefixPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/prefixes/$id')({
  params: integerId,
  head: titled('Prefix'),
  component: PrefixPage,
})

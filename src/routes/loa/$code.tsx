import { createFileRoute } from '@tanstack/react-router'
import { loadVerifiedLoa } from '../../transit/portal/loas/load-verified.ts'
import { VerifyLoaPage } from '../../transit/portal/loas/VerifyLoaPage.tsx'
import { titled } from '../../ui/runtime/title.ts'

export const Route = createFileRoute('/loa/$code')({
  loader: ({ params }) => loadVerifiedLoa(params.code),
  head: titled('Letter of authorization'),
  component: VerifyLoaPage,
})

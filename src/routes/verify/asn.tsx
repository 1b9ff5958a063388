import { createFileRoute } from '@tanstack/react-router'
import { VerifyAsnPage } from '../../accounts/portal/VerifyAsnPage.tsx'
import { titled } from '../../ui/runtime/title.ts'
import { tokenSearch } from '../-token-search.ts'

export const Route = createFileRoute('/verify/asn')({
  validateSearch: tokenSearch,
  head: titled('ASN verification'),
  component: VerifyAsnPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { VerifyPrefixPage } from '../../transit/portal/VerifyPrefixPage.tsx'
import { titled } from '../../ui/runtime/title.ts'
import { prefixSearch } from '../-token-search.ts'

export const Route = createFileRoute('/verify/prefix')({
  validateSearch: prefixSearch,
  head: titled('Prefix confirmation'),
  component: VerifyPrefixPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { VerifyEmailPage } from '../../accounts/portal/VerifyEmailPage.tsx'
import { titled } from '../../ui/runtime/title.ts'
import { emailSearch } from '../-token-search.ts'

export const Route = createFileRoute('/verify/email')({
  validateSearch: emailSearch,
  head: titled('Verify your email'),
  component: VerifyEmailPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { VerifyEmailPage } from '../../../accounts/portal/VerifyEmailPage.tsx'
import { titled } from '../../title.ts'
import { tokenSearch } from '../-token-search.ts'

export const Route = createFileRoute('/verify/email')({
  validateSearch: tokenSearch,
  head: titled('Verify your email'),
  component: VerifyEmailPage,
})

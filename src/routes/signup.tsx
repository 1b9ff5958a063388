import { createFileRoute } from '@tanstack/react-router'
import { SignUpPage } from '../accounts/portal/SignUpPage.tsx'
import { titled } from '../ui/runtime/title.ts'
import { redirectAfterSignIn } from '../ui/runtime/guards.ts'
import { returnSearch } from '../ui/runtime/return-path.ts'

export const Route = createFileRoute('/signup')({
  validateSearch: returnSearch,
  beforeLoad: redirectAfterSignIn,
  head: titled('Create account'),
  component: SignUpPage,
})

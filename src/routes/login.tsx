import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '../accounts/portal/LoginPage.tsx'
import { titled } from '../ui/runtime/title.ts'
import { redirectAfterSignIn } from '../ui/runtime/guards.ts'
import { returnSearch } from '../ui/runtime/return-path.ts'

export const Route = createFileRoute('/login')({
  validateSearch: returnSearch,
  beforeLoad: redirectAfterSignIn,
  head: titled('Sign in'),
  component: LoginPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '../../accounts/portal/LoginPage.tsx'
import { titled } from '../title.ts'
import { sendUserOn } from '../guards.ts'
import { returnSearch } from '../return-path.ts'

export const Route = createFileRoute('/login')({
  validateSearch: returnSearch,
  beforeLoad: sendUserOn,
  head: titled('Sign in'),
  component: LoginPage,
})

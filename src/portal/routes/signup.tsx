import { createFileRoute } from '@tanstack/react-router'
import { SignUpPage } from '../../accounts/portal/SignUpPage.tsx'
import { titled } from '../title.ts'
import { sendUserOn } from '../guards.ts'
import { returnSearch } from '../return-path.ts'

export const Route = createFileRoute('/signup')({
  validateSearch: returnSearch,
  beforeLoad: sendUserOn,
  head: titled('Create account'),
  component: SignUpPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { NewPasswordPage } from '../../accounts/portal/NewPasswordPage.tsx'
import { titled } from '../../ui/runtime/title.ts'
import { tokenSearch } from '../-token-search.ts'

export const Route = createFileRoute('/password/new')({
  validateSearch: tokenSearch,
  head: titled('New password'),
  component: NewPasswordPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordPage } from '../../accounts/portal/ResetPasswordPage.tsx'
import { titled } from '../../ui/runtime/title.ts'

export const Route = createFileRoute('/password/reset')({
  head: titled('Reset password'),
  component: ResetPasswordPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { UserListPage } from '../../../../../admin/portal/UserListPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/users/')({
  validateSearch: ({ type }: Record<string, unknown>): { type?: 'recent' | 'paying' } =>
    type === 'recent' || type === 'paying' ? { type } : {},
  head: titled('Users'),
  component: UserListPage,
})

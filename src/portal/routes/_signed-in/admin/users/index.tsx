import { createFileRoute } from '@tanstack/react-router'
import { loadUsers } from '../../../../../admin/portal/loaders.ts'
import { UserListPage } from '../../../../../admin/portal/UserListPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/users/')({
  validateSearch: ({ type }: Record<string, unknown>): { type?: 'recent' | 'paying' } =>
    type === 'recent' || type === 'paying' ? { type } : {},
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => loadUsers(deps.type),
  head: titled('User list'),
  component: UserListPage,
})

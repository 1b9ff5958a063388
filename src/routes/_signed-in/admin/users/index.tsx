import { createFileRoute } from '@tanstack/react-router'
import { loadUsers } from '../../../../accounts/portal/staff/loaders.ts'
import { UserListPage } from '../../../../accounts/portal/staff/UserListPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import type { UserType } from '../../../../accounts/portal/staff/user-list-variables.ts'
import { listSearch } from '../../../-list-search.ts'

export const Route = createFileRoute('/_signed-in/admin/users/')({
  validateSearch: (raw: Record<string, unknown>): { type?: UserType; search?: string; sort?: string | undefined } => ({
    ...(isUserType(raw['type']) && { type: raw['type'] }),
    ...listSearch(raw),
  }),
  // Not the search text: while the user types, the rows stay.
  loaderDeps: ({ search: { type } }) => ({ type }),
  loader: ({ deps, location }) => loadUsers(deps.type, listSearch(location.search)),
  head: titled('User list'),
  component: UserListPage,
})

const isUserType = (value: unknown): value is UserType =>
  value === 'recent' || value === 'paying' || value === 'suspended'

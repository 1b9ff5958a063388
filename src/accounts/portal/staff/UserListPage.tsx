import { getRouteApi, Link } from '@tanstack/react-router'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { FileLink } from '../../../ui/staff/FileLink.tsx'
import { startOfYesterday } from './user-name.ts'
import { UserList } from './user-documents.ts'
import { FILTER_LINK, FilterLinks } from '../../../ui/staff/FilterLinks.tsx'
import { totalOf } from '../../../ui/staff/total-of.ts'
import { userListVariables, type UserType } from './user-list-variables.ts'
import { NoUsers } from './NoUsers.tsx'
import { useList } from '../../../ui/staff/use-list.ts'
import { useSearch } from '../../../ui/staff/use-search.ts'
import { userColumns } from './user-columns.tsx'

const route = getRouteApi('/_signed-in/admin/users/')

const FILTERS: readonly { readonly type?: UserType; readonly label: string }[] = [
  { label: 'All' },
  { type: 'recent', label: 'Recent' },
  { type: 'paying', label: 'Paying' },
]

export function UserListPage() {
  const { type, search } = route.useSearch()
  return (
    <>
      <PageHeader title="Users" />
      <FilterLinks label="Which users">
        {FILTERS.map((filter) => (
          <Link
            key={filter.label}
            to="/admin/users/"
            search={{ ...(filter.type && { type: filter.type }), ...(search && { search }) }}
            activeOptions={{ exact: true, explicitUndefined: true }}
            aria-current={filter.type === type ? 'page' : undefined}
            className={FILTER_LINK}
          >
            {filter.label}
          </Link>
        ))}
      </FilterLinks>
      <UserTable key={type ?? 'all'} type={type} />
    </>
  )
}

function UserTable({ type }: { type: UserType | undefined }) {
  const { search, setSearch, typed, round, isAsked } = useSearch()
  const { data, answered, busy, more } = useList(UserList, userListVariables(type, search))
  if (!data) return <TableSkeleton />
  const { nodes, totalCount, pageInfo } = data.users
  return (
    <DataTable
      key={round}
      label="Users"
      columns={userColumns}
      rows={nodes}
      rowKey={(user) => user.id}
      filter="Search name, address or ASN"
      tools={
        <FileLink
          path="/api/admin/users.csv"
          query={{ type, search, ...(type === 'recent' && { since: startOfYesterday() }) }}
          what="users"
        />
      }
      initialFilter={typed}
      onFilter={setSearch}
      page={{
        hasMore: pageInfo.hasNextPage,
        answered: isAsked && answered,
        busy,
        onMore: () => more(pageInfo.endCursor),
        ...totalOf(totalCount, search),
      }}
      empty={<NoUsers type={type} />}
    />
  )
}

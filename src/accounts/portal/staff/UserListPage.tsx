import { getRouteApi, Link } from '@tanstack/react-router'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { FileLink } from '../../../ui/staff/FileLink.tsx'
import { fullName, startOfYesterday } from './user-name.ts'
import { UserList, type ListedUser } from './user-documents.ts'
import { FILTER_LINK, FilterLinks } from '../../../ui/staff/FilterLinks.tsx'
import { totalOf } from '../../../ui/staff/total-of.ts'
import { ManagedTable, type Selection } from '../../../ui/table/ManagedTable.tsx'
import { useServerSort } from '../../../ui/table/server-sort.ts'
import { USER_SORT_COLUMNS, userListVariables, type UserType } from './user-list-variables.ts'
import { NoUsers } from './NoUsers.tsx'
import { useList } from '../../../ui/staff/use-list.ts'
import { useSearch } from '../../../ui/staff/use-search.ts'
import { userColumns } from './user-columns.tsx'

const route = getRouteApi('/_signed-in/admin/users/')

const FILTERS: readonly { readonly type?: UserType; readonly label: string }[] = [
  { label: 'All' },
  { type: 'recent', label: 'Recent' },
  { type: 'paying', label: 'Paying' },
  { type: 'suspended', label: 'Suspended' },
]

export function UserListPage() {
  const { type, ...kept } = route.useSearch()
  return (
    <>
      <PageHeader title="Customers" />
      <FilterLinks label="Which users">
        {FILTERS.map((filter) => (
          <Link
            key={filter.label}
            to="/admin/users/"
            search={{ ...(filter.type && { type: filter.type }), ...kept }}
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

const SELECTION: Selection<ListedUser> = { nameOf: fullName }

function UserTable({ type }: { type: UserType | undefined }) {
  const { search, setSearch, typed, round, isAsked } = useSearch()
  const serverSort = useServerSort(USER_SORT_COLUMNS)
  const { data, answered, busy, more } = useList(UserList, userListVariables(type, search, serverSort.current))
  if (!data) return <TableSkeleton />
  const { nodes, totalCount, pageInfo } = data.users
  return (
    <ManagedTable
      key={round}
      id="users"
      serverSort={serverSort}
      selection={SELECTION}
      label="Users"
      columns={userColumns}
      rows={nodes}
      rowKey={(user) => user.id}
      filter="Search name, company, email or ASN"
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

import { Link } from '@tanstack/react-router'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import type { DetailedUser } from '../../../accounts/portal/staff/user-documents.ts'
import { routerColumns } from './router-columns.tsx'

type Row = DetailedUser['routers']['nodes'][number]

const COLUMNS = routerColumns<Row>({
  id: 'hypervisor',
  header: 'Hypervisor',
  cell: ({ hypervisor }) =>
    hypervisor ? (
      <Link to="/admin/hypervisors/$id" params={{ id: hypervisor.databaseId }} className="link relative z-1">
        {hypervisor.name}
      </Link>
    ) : (
      <EmptyValue />
    ),
})

export const UserRouters = ({ routers }: { routers: readonly Row[] }) => (
  <DataTable
    label="Routers"
    columns={COLUMNS}
    rows={routers}
    rowKey={(router) => router.id}
    firstRows={10}
    empty={
      <EmptyState icon="router" title="No routers">
        This user has no routers.
      </EmptyState>
    }
  />
)

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { Menu } from '../../../../ui/components/Menu.tsx'
import { StatusBadge } from '../../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { Site } from '../../../inventory/contract.ts'
import { sites, staffRouters } from '../api.ts'
import { useAction } from '../../../../ui/staff/use-action.ts'
import { SiteDialog } from './SiteDialog.tsx'
import { InventoryLayout } from './InventoryLayout.tsx'
import { actionsColumn } from '../../../../ui/components/actions-column.ts'

const count = (id: 'hypervisors' | 'pools' | 'routers', header: string): Column<Site> => ({
  id,
  header,
  align: 'right',
  cell: (site) => <span className="num">{site[id]}</span>,
  sort: (site) => site[id],
})

const COLUMNS: readonly Column<Site>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <span className="font-medium">{name}</span>, sort: (s) => s.name },
  { id: 'slug', header: 'Short name', cell: ({ slug }) => <span className="font-mono text-sm">{slug}</span> },
  {
    id: 'state',
    header: 'New orders',
    cell: ({ closedAt }) =>
      closedAt === null ? (
        <StatusBadge tone="ok">Open</StatusBadge>
      ) : (
        <StatusBadge tone="off" note={<Time at={closedAt} />}>
          Closed
        </StatusBadge>
      ),
  },
  count('hypervisors', 'Hypervisors'),
  count('pools', 'Address pools'),
  count('routers', 'Routers'),
]

/** The sites where routers run. */
export function SitesPage() {
  const { data } = useSuspenseQuery(sites())
  const blockedReason = useMissingRoleReason('network')
  const { busy, runAction } = useAction()
  /** Null: a new one. */
  const [edited, setEdited] = useState<Site | null | undefined>()
  const close = (site: Site) =>
    runAction(
      site.id,
      () =>
        staffRouters.call['PATCH /api/admin/sites/{id}']({
          params: { id: site.id },
          body: { closed: site.closedAt === null },
        }),
      site.closedAt === null ? `${site.name} closed for new orders` : `${site.name} open for orders`,
    )
  const add = (
    <Button variant="primary" icon="plus" disabledReason={blockedReason} onClick={() => setEdited(null)}>
      Add site
    </Button>
  )
  return (
    <InventoryLayout
      title="Sites"
      summary="Locations where routers run. Customers choose one when they order."
      actions={add}
    >
      <DataTable
        label="Sites"
        columns={[
          ...COLUMNS,
          actionsColumn((site: Site) => (
            <Menu
              label={`Actions for ${site.name}`}
              entries={[
                { label: 'Rename', icon: 'edit', disabledReason: blockedReason, onSelect: () => setEdited(site) },
                {
                  label: site.closedAt === null ? 'Close for new orders' : 'Open for orders',
                  icon: site.closedAt === null ? 'cross' : 'check',
                  disabledReason: blockedReason ?? (busy === site.id ? 'In progress.' : null),
                  onSelect: () => close(site),
                },
              ]}
            />
          )),
        ]}
        rows={data}
        rowKey={(site) => site.id}
        empty={
          <EmptyState icon="inventory" title="No sites yet" action={add}>
            A site contains hypervisors that run routers and the address pools they use.
          </EmptyState>
        }
      />
      {edited !== undefined && <SiteDialog site={edited} onClose={() => setEdited(undefined)} />}
    </InventoryLayout>
  )
}

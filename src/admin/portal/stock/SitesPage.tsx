import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { Menu } from '../../../portal/ui/Menu.tsx'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { Site } from '../../../routers/stock/contract.ts'
import { sites, staff } from '../api.ts'
import { useDeed } from '../use-deed.ts'
import { SiteDialog } from './SiteDialog.tsx'
import { StockFrame } from './StockFrame.tsx'

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

/** Where routers run. */
export function SitesPage() {
  const { data } = useSuspenseQuery(sites())
  const refusal = useDutyRefusal('network')
  const { busy, act } = useDeed()
  /** Null: a new one. */
  const [edited, setEdited] = useState<Site | null | undefined>()
  const close = (site: Site) =>
    act(
      site.id,
      () =>
        staff.call['PATCH /api/admin/sites/{id}']({
          params: { id: site.id },
          body: { closed: site.closedAt === null },
        }),
      site.closedAt === null ? `${site.name} closed for new orders` : `${site.name} open for orders`,
    )
  const add = (
    <Button look="primary" icon="plus" disabledReason={refusal} onClick={() => setEdited(null)}>
      Add site
    </Button>
  )
  return (
    <StockFrame
      title="Sites"
      summary="Locations where routers run. Customers choose one when they order."
      actions={add}
    >
      <DataTable
        label="Sites"
        columns={[
          ...COLUMNS,
          {
            id: 'actions',
            header: 'Actions',
            hiddenHeader: true,
            align: 'right',
            cell: (site) => (
              <Menu
                label={`Actions for ${site.name}`}
                entries={[
                  { label: 'Rename', icon: 'edit', disabledReason: refusal, onSelect: () => setEdited(site) },
                  {
                    label: site.closedAt === null ? 'Close for new orders' : 'Open for orders',
                    icon: site.closedAt === null ? 'cross' : 'check',
                    disabledReason: refusal ?? (busy === site.id ? 'In progress.' : null),
                    onSelect: () => close(site),
                  },
                ]}
              />
            ),
          },
        ]}
        rows={data}
        rowKey={(site) => site.id}
        empty={
          <EmptyState icon="stock" title="No sites yet" action={add}>
            A site contains hypervisors that run routers and the address pools they use.
          </EmptyState>
        }
      />
      {edited !== undefined && <SiteDialog site={edited} onClose={() => setEdited(undefined)} />}
    </StockFrame>
  )
}

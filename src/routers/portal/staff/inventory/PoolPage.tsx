import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { DataTable } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { PageHeader, Section } from '../../../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../../../ui/components/PropertyTable.tsx'
import { TableSkeleton } from '../../../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../../../ui/components/StatusBadge.tsx'
import { UsageBar } from '../../../../ui/components/UsageBar.tsx'
import { addressesOf, pools, staffRouters } from '../api.ts'
import { Crumbs } from '../../../../ui/components/Crumbs.tsx'
import { useAction } from '../../../../ui/staff/use-action.ts'
import { addressColumns } from './address-columns.tsx'

const route = getRouteApi('/_signed-in/admin/inventory/pools/$id')

/** One segment, and which router has which of its addresses. */
export function PoolPage() {
  const { id } = route.useParams()
  const { data } = useSuspenseQuery(pools())
  const pool = data.find((one) => one.id === id)
  const blockedReason = useMissingRoleReason('network')
  const { busy, runAction } = useAction()
  if (!pool) throw notFound()
  const open = pool.closedAt === null
  const toggle = () =>
    runAction(
      id,
      () => staffRouters.call['PATCH /api/admin/address_pools/{id}']({ params: { id }, body: { closed: open } }),
      open ? `${pool.prefix4} closed` : `${pool.prefix4} open again`,
    )
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/inventory">Infrastructure</Link>
            <Link to="/admin/inventory/pools">Address pools</Link>
          </Crumbs>
        }
        title={pool.prefix4}
        status={<StatusBadge tone={open ? 'ok' : 'off'}>{open ? 'Open' : 'Closed'}</StatusBadge>}
        summary={pool.site.name}
        actions={
          <Button busy={busy === id} disabledReason={blockedReason} onClick={toggle}>
            {open ? 'Close' : 'Open again'}
          </Button>
        }
      />
      <PropertyTable
        items={[
          { label: 'IPv4', value: <code>{pool.prefix4}</code> },
          { label: 'IPv4 gateway', value: <code>{pool.gateway4}</code> },
          { label: 'IPv6', value: <code>{pool.prefix6}</code> },
          { label: 'IPv6 gateway', value: <code>{pool.gateway6}</code> },
          {
            label: 'Used',
            value: (
              <UsageBar
                used={pool.capacity === 0 ? 1 : pool.used / pool.capacity}
                label="Used"
                detail={`${pool.used} of ${pool.capacity}`}
              />
            ),
            wide: true,
          },
        ]}
      />
      <Section title="Addresses" summary="Assigned addresses.">
        <Addresses id={id} total={pool.used} />
      </Section>
    </>
  )
}

function Addresses({ id, total }: { id: number; total: number }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(addressesOf(id))
  if (!data) return <TableSkeleton />
  return (
    <DataTable
      label="Addresses"
      columns={addressColumns}
      rows={data.pages.flatMap(({ addresses }) => addresses)}
      rowKey={(lease) => lease.hostNumber}
      page={{ hasMore: hasNextPage, busy: isFetchingNextPage, onMore: () => void fetchNextPage(), total }}
      empty={
        <EmptyState icon="prefix" title="No addresses assigned">
          The next router at this site gets the lowest free address.
        </EmptyState>
      }
    />
  )
}

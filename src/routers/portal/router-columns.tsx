import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { EmptyValue } from '../../ui/components/EmptyValue.tsx'
import { Copyable } from '../../ui/components/Copyable.tsx'
import type { Column } from '../../ui/components/DataTable.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { OwnRouter } from '../contract.ts'
import { planSize } from './plan-size.ts'
import { STATE_BADGE } from './router-state-variants.ts'
import { RouterStateBadge } from './RouterStateBadge.tsx'

/** Few lists have one, so the list does not wait for it. */
const RestoreOwnRouter = lazy(() => import('./RestoreOwnRouter.tsx'))
const RouterBgp = lazy(() => import('./RouterBgp.tsx'))

const addressOf = (router: OwnRouter, family: 4 | 6): string =>
  router.addresses.find((address) => address.family === family)?.address ?? ''

export const routerColumns: readonly Column<OwnRouter>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (router) => (
      <Link to="/routers/$id" params={{ id: router.id }} className="row-link">
        {router.name}
      </Link>
    ),
    sort: (router) => router.name,
    text: (router) => `${router.name} ${router.uuid}`,
  },
  {
    id: 'state',
    header: 'State',
    besideName: true,
    cell: (router) => (
      <span className="inline-flex items-center gap-2">
        <RouterStateBadge router={router} />
        {router.purgeAt !== null && (
          <span className="relative z-1">
            <Suspense>
              <RestoreOwnRouter router={router} size="sm" />
            </Suspense>
          </span>
        )}
      </span>
    ),
    sort: (router) => STATE_BADGE[router.state].label,
    text: (router) => STATE_BADGE[router.state].label,
  },
  {
    id: 'bgp',
    header: 'BGP',
    // As wide as what it shows once that is loaded, so that nothing moves.
    cell: ({ sessions }) => (
      <span className="inline-block min-w-28">
        <Suspense>
          <RouterBgp sessions={sessions} />
        </Suspense>
      </span>
    ),
  },
  {
    id: 'ipv4',
    header: 'IPv4',
    cell: (router) => <Address value={addressOf(router, 4)} />,
    text: (router) => addressOf(router, 4),
  },
  {
    id: 'ipv6',
    header: 'IPv6',
    cell: (router) => <Address value={addressOf(router, 6)} />,
    text: (router) => addressOf(router, 6),
  },
  {
    id: 'plan',
    header: 'Plan',
    cell: (router) => <span title={planSize(router)}>{router.labels.plan}</span>,
    sort: (router) => router.labels.plan,
    text: (router) => router.labels.plan,
  },
  {
    id: 'site',
    header: 'Site',
    cell: (router) => <span className="whitespace-nowrap">{router.labels.site}</span>,
    sort: (router) => router.labels.site,
    text: (router) => router.labels.site,
  },
  {
    id: 'created',
    header: 'Created',
    cell: (router) => <Time at={router.createdAt} />,
    sort: (router) => router.createdAt,
    wideOnly: true,
  },
]

const Address = ({ value }: { value: string }) => (value === '' ? <EmptyValue /> : <Copyable value={value} />)

import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Column } from '../../ui/components/DataTable.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { OwnRouter } from '../contract.ts'
import { HostAddress } from './HostAddress.tsx'
import { planSize } from './plan-size.ts'
import { RouterStateBadge } from './RouterStateBadge.tsx'

/** Few lists need it, so the list does not wait for it. */
const RestoreOwnRouter = lazy(() => import('./RestoreOwnRouter.tsx'))
const RouterBgp = lazy(() => import('./RouterBgp.tsx'))

/** How the columns are drawn; `ManagedRouters` says how they are sorted and searched. */
export const routerColumns: readonly Column<OwnRouter>[] = [
  // Reserves the place of the checkboxes, so that nothing moves when they appear.
  { id: 'select', header: 'Select', hiddenHeader: true, className: 'w-14 @max-list:hidden', cell: () => null },
  {
    id: 'name',
    header: 'Name',
    cell: (router) => (
      <Link
        to="/routers/$id"
        params={{ id: router.id }}
        title={router.name}
        className="row-link line-clamp-1 min-w-24 break-all"
      >
        {router.name}
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    besideName: true,
    cell: (router) => (
      <span className="flex items-center gap-2">
        <RouterStateBadge router={router} />
        {router.purgeAt !== null && (
          <Suspense>
            <RestoreOwnRouter router={router} size="sm" />
          </Suspense>
        )}
      </span>
    ),
  },
  {
    id: 'bgp',
    header: 'BGP',
    // As wide as its content once loaded, so that nothing moves.
    cell: ({ sessions }) => (
      <div className="min-w-24">
        <Suspense>
          <RouterBgp sessions={sessions} />
        </Suspense>
      </div>
    ),
  },
  {
    id: 'ipv4',
    header: 'IPv4',
    cell: (router) => <HostAddress of={router} family={4} />,
  },
  {
    id: 'ipv6',
    header: 'IPv6',
    cell: (router) => <HostAddress of={router} family={6} />,
  },
  {
    id: 'plan',
    header: 'Plan',
    cell: (router) => <span title={planSize(router)}>{router.labels.plan}</span>,
  },
  {
    id: 'site',
    header: 'Site',
    cell: (router) => <span className="whitespace-nowrap">{router.labels.site}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    cell: (router) => <Time at={router.createdAt} />,
    wideOnly: true,
  },
]

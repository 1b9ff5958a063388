import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { DataTable } from '../../ui/components/DataTable.tsx'
import { Icon } from '../../ui/components/Icon.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import { routerList } from './api.ts'
import { routerColumns } from './router-columns.tsx'

/** Most have some: its words and prices are no part of everybody's first load. */
const NoRouters = lazy(() => import('./NoRouters.tsx'))
const RouterListNotices = lazy(() => import('./RouterListNotices.tsx'))

/** A filter helps from the row on where the eye no longer takes in the list. */
const FILTER_FROM = 8

export function RouterListPage() {
  const { data } = useSuspenseQuery(routerList())
  return (
    <>
      <PageHeader
        title="Routers"
        actions={
          <Link to="/routers/new" className={buttonClass('primary')}>
            <Icon name="plus" size={15} />
            Create router
          </Link>
        }
      />
      <Suspense>
        <RouterListNotices routers={data} />
      </Suspense>
      <DataTable
        label="Routers"
        columns={routerColumns}
        rows={data}
        rowKey={(router) => router.id}
        {...(data.length >= FILTER_FROM ? { filter: 'Filter routers' } : {})}
        empty={
          <Suspense>
            <NoRouters />
          </Suspense>
        }
      />
    </>
  )
}

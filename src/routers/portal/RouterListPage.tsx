import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { DataTable } from '../../ui/components/DataTable.tsx'
import { Icon } from '../../ui/components/Icon.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import { FILTER_FROM } from '../../ui/components/table-rows.ts'
import type { OwnRouter } from '../contract.ts'
import { routerList } from './api.ts'
import { routerColumns } from './router-columns.tsx'

/** Sorting, searching and selecting stay out of the first load: the rows appear before them. */
const ManagedRouters = lazy(() => import('./ManagedRouters.tsx'))

export function RouterListPage() {
  const { data } = useSuspenseQuery(routerList())
  const table = { label: 'Routers', columns: routerColumns, rows: data, rowKey: ({ id }: OwnRouter) => id }
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
      <Suspense
        fallback={data[0] && <DataTable {...table} tools={data[FILTER_FROM - 1] && <span className="h-8" />} />}
      >
        <ManagedRouters {...table} />
      </Suspense>
    </>
  )
}

import { lazy, Suspense, useLayoutEffect, useMemo, useState } from 'react'
import type { Column } from '../../ui/components/DataTable.tsx'
import { ManagedTable, type ManagedTableProps, type Selection } from '../../ui/table/ManagedTable.tsx'
import { addressOf } from '../address-of.ts'
import type { OwnRouter } from '../contract.ts'
import { BulkPower } from './BulkPower.tsx'
import RouterListNotices from './RouterListNotices.tsx'
import { sessionsBadge } from './session-labels.ts'
import { STATE_BADGE } from './router-state-variants.ts'

const stateOf = ({ state }: OwnRouter): string => STATE_BADGE[state].label
const planOf = ({ labels }: OwnRouter): string => labels.plan
const siteOf = ({ labels }: OwnRouter): string => labels.site

/** How the columns are sorted, searched and exported, by id. */
const ORDER: Readonly<Record<string, Pick<Column<OwnRouter>, 'sort' | 'text' | 'csv'>>> = {
  name: {
    sort: ({ name }) => name,
    csv: ({ name }) => name,
    text: ({ name, uuid, addresses }) => [name, uuid, ...addresses.map(({ address }) => address)].join(' '),
  },
  state: { sort: stateOf, text: stateOf, csv: stateOf },
  bgp: { csv: ({ sessions }) => sessionsBadge(sessions).label },
  ipv4: { csv: (router) => addressOf(router, 4) },
  ipv6: { csv: (router) => addressOf(router, 6) },
  plan: { sort: planOf, text: planOf, csv: planOf },
  site: { sort: siteOf, text: siteOf, csv: siteOf },
  created: { sort: ({ createdAt }) => createdAt, csv: ({ createdAt }) => createdAt },
}

/** Most customers have routers and need neither its text nor its prices. */
const NoRouters = lazy(() => import('./NoRouters.tsx'))

const SELECTION: Selection<OwnRouter> = {
  nameOf: ({ name }) => name,
  actions: (routers, clear) => <BulkPower routers={routers} onDone={clear} />,
}

/** The list of routers, once the code that sorts, searches and selects is loaded. */
const ManagedRouters = ({
  columns,
  rows,
  ...rest
}: Pick<ManagedTableProps<OwnRouter>, 'label' | 'rows' | 'rowKey' | 'columns'>) => {
  useFocusOfReplacedRow()
  return (
    <>
      <Suspense>
        <RouterListNotices routers={rows} />
      </Suspense>
      <ManagedTable
        {...rest}
        id="own-routers"
        columns={useMemo(() => columns.slice(1).map((column) => ({ ...column, ...ORDER[column.id] })), [columns])}
        rows={rows}
        selection={SELECTION}
        empty={<NoRouters />}
        filter="Filter routers"
      />
    </>
  )
}
export default ManagedRouters

/** It replaces a plain list of the same rows, so a keyboard focus on a row moves to the same row here. */
function useFocusOfReplacedRow(): void {
  // Reads the list that is still there: drawing this one removes it.
  const [address] = useState(() => document.activeElement?.closest('tbody a')?.getAttribute('href'))
  useLayoutEffect(() => {
    if (address) document.querySelector<HTMLElement>(`tbody a[href="${CSS.escape(address)}"]`)?.focus()
  }, [address])
}

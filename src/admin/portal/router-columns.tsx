import { Link } from '@tanstack/react-router'
import { Amount } from '../../portal/ui/Amount.tsx'
import { Copyable } from '../../portal/ui/Copyable.tsx'
import type { Column } from '../../portal/ui/DataTable.tsx'
import { gibibytes, mebibytes } from '../../portal/ui/quantity.ts'
import { LookBadge } from './LookBadge.tsx'
import { STATE_LOOK } from '../../routers/portal/router-state-look.ts'
import type { RouterState } from '../../routers/states.ts'

interface Row {
  readonly databaseId: number
  readonly uuid: string
  readonly name: string
  readonly cpus: number
  readonly memory: number
  readonly diskSize: number
  readonly state: RouterState
}

/** Routers as staff list them; `last` says what the list does not say by itself: whose, or where. */
export const routerColumns = <R extends Row>(last: Column<R>): readonly Column<R>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (router) => (
      <Link to="/admin/routers/$id" params={{ id: router.databaseId }} className="row-link">
        {router.name}
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    besideName: true,
    cell: ({ state }) => <LookBadge look={STATE_LOOK[state]} />,
  },
  {
    id: 'size',
    header: 'Size',
    cell: (router) => (
      <span className="inline-flex gap-x-2.5 @max-list:flex-wrap">
        <Amount of={{ number: String(router.cpus), unit: router.cpus === 1 ? 'core' : 'cores' }} />
        <Amount of={mebibytes(router.memory)} />
        <Amount of={gibibytes(router.diskSize)} />
      </span>
    ),
  },
  { id: 'uuid', header: 'UUID', cell: (router) => <Copyable value={router.uuid} />, wideOnly: true },
  last,
]

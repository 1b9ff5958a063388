import { Link } from '@tanstack/react-router'
import { Amount } from '../../../ui/components/Amount.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { gibibytes, mebibytes } from '../../../ui/components/quantity.ts'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import { STATE_BADGE } from '../router-state-variants.ts'
import type { RouterState } from '../../states.ts'

interface Row {
  readonly databaseId: number
  readonly uuid: string
  readonly name: string
  readonly cpus: number
  readonly memory: number
  readonly diskSize: number
  readonly state: RouterState
}

/** Columns of routers for staff; `last` is what the list does not imply: the owner, or the site. */
export const routerColumns = <R extends Row>(last: Column<R>): readonly Column<R>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (router) => (
      <Link
        to="/admin/routers/$id"
        params={{ id: router.databaseId }}
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
    cell: ({ state }) => <ToneBadge badge={STATE_BADGE[state]} />,
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
  { id: 'id', header: 'ID', cell: ({ databaseId }) => <span className="num">{databaseId}</span>, wideOnly: true },
  { id: 'uuid', header: 'UUID', cell: (router) => <Copyable value={router.uuid} />, wideOnly: true },
  last,
]

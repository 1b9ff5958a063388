import { Link } from '@tanstack/react-router'
import { useSyncExternalStore, type ReactNode } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import type { Column } from '../../ui/components/DataTable.tsx'
import { EmptyValue } from '../../ui/components/EmptyValue.tsx'
import { StageHeadline } from '../../ui/components/StageRail.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { saveRows } from '../../ui/table/export-rows.ts'
import { ManagedTable, type Selection } from '../../ui/table/ManagedTable.tsx'
import type { TransitPrefix } from '../contract.ts'
import { ANNOUNCEMENT_LABELS, CHECK_BADGE } from './prefix-labels.ts'
import { headlineText, prefixBadge, prefixStages } from './prefix-stages.tsx'
import { WithdrawSeveral } from './WithdrawSeveral.tsx'

const statusOf = (prefix: TransitPrefix): string => prefixBadge(prefix).label
const typeOf = ({ announcementType }: TransitPrefix): string => ANNOUNCEMENT_LABELS[announcementType].label
const originOf = ({ originAsn }: TransitPrefix): string | null => (originAsn === null ? null : formatAsn(originAsn))

/** Null for a withdrawn prefix, which makes no progress. */
const progressOf = (prefix: TransitPrefix): string | null =>
  prefix.status === 'WITHDRAWN' ? null : headlineText(prefix, prefixStages(prefix, 'owner'))

/** Where every column has room beside the sentence: in a wide window, and in the list of a phone. */
const ROOMY = matchMedia('(width >= 96rem) or (width < 48rem)')
const watchRoom = (onChange: () => void): (() => void) => {
  ROOMY.addEventListener('change', onChange)
  return () => ROOMY.removeEventListener('change', onChange)
}
const FOR_ROOM: readonly string[] = ['announced', 'requested']
const TWO_LINES = {
  display: '-webkit-box',
  WebkitLineClamp: 2,
  WebkitBoxOrient: 'vertical',
  overflow: 'hidden',
} as const

const check = (id: string, header: string, of: (prefix: TransitPrefix) => keyof typeof CHECK_BADGE) => {
  const label = (prefix: TransitPrefix): string => CHECK_BADGE[of(prefix)].label
  return {
    id,
    header,
    cell: (prefix) => <StatusBadge tone={CHECK_BADGE[of(prefix)].tone}>{label(prefix)}</StatusBadge>,
    sort: label,
    csv: label,
  } satisfies Column<TransitPrefix>
}

const COLUMNS: readonly Column<TransitPrefix>[] = [
  {
    id: 'prefix',
    header: 'Prefix',
    cell: ({ id, value }) => (
      <Link to="/transit/prefixes/$id" params={{ id }} className="row-link font-mono font-medium">
        {value}
      </Link>
    ),
    sort: ({ value }) => value,
    csv: ({ value }) => value,
  },
  {
    id: 'status',
    header: 'Status',
    besideName: true,
    cell: (prefix) => <StatusBadge tone={prefixBadge(prefix).tone}>{statusOf(prefix)}</StatusBadge>,
    sort: statusOf,
    csv: statusOf,
  },
  {
    id: 'progress',
    header: 'Progress',
    cell: (prefix) =>
      prefix.status === 'WITHDRAWN' ? (
        <EmptyValue />
      ) : (
        <span style={TWO_LINES}>
          <StageHeadline stages={prefixStages(prefix, 'owner')} className="" />
        </span>
      ),
    sort: progressOf,
    csv: progressOf,
  },
  {
    id: 'announced',
    header: 'Announced',
    cell: typeOf,
    sort: typeOf,
    csv: typeOf,
  },
  {
    id: 'origin',
    header: 'Origin ASN',
    cell: (prefix) => originOf(prefix) ?? <EmptyValue />,
    sort: ({ originAsn }) => originAsn,
    csv: originOf,
  },
  check('rpki', 'RPKI', ({ rpkiStatus }) => rpkiStatus),
  check('irr', 'IRR', ({ irrStatus }) => irrStatus),
  {
    id: 'requested',
    header: 'Requested',
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
    csv: ({ createdAt }) => createdAt,
  },
]

const NARROW = COLUMNS.filter(({ id }) => !FOR_ROOM.includes(id))

const SELECTION: Selection<TransitPrefix> = {
  nameOf: ({ value }) => value,
  canSelect: ({ allowedActions }) => allowedActions.includes('withdraw'),
  actions: (prefixes, clear) => <WithdrawSeveral prefixes={prefixes} onDone={clear} />,
}

/** The prefixes without their stages, to sort, export, and withdraw several at once. */
const PrefixTable = ({ prefixes, tools }: { prefixes: readonly TransitPrefix[]; tools: ReactNode }) => {
  const isRoomy = useSyncExternalStore(watchRoom, () => ROOMY.matches)
  return (
    <ManagedTable
      id="own-prefixes"
      label="Prefixes"
      columns={isRoomy ? COLUMNS : NARROW}
      rows={prefixes}
      rowKey={({ id }) => id}
      tools={tools}
      selection={SELECTION}
    />
  )
}
export default PrefixTable

export const savePrefixes = (prefixes: readonly TransitPrefix[]): void => saveRows('Prefixes', COLUMNS, prefixes)

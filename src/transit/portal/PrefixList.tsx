import { useDeferredValue, useRef, useState } from 'react'
import { FILTER_BADGE } from '../../ui/components/filter-variants.ts'
import { FILTER_FROM, filterRows } from '../../ui/components/table-rows.ts'
import { TableFilter } from '../../ui/components/TableFilter.tsx'
import { useRowKeys } from '../../ui/components/use-row-keys.ts'
import type { TransitPrefix } from '../contract.ts'
import { PREFIX_STATUSES, type PrefixStatus } from '../states.ts'
import { MorePrefixes } from './MorePrefixes.tsx'
import { PrefixItem } from './PrefixItem.tsx'
import { ANNOUNCEMENT_LABELS, CHECK_BADGE, STATUS_BADGE } from './prefix-labels.ts'
import { DOWN_BADGE, isDown, prefixBadge } from './prefix-stages.tsx'

/** Each prefix draws eight stages. More at once are slow to draw, and more than anybody reads. */
const STEP = 20
/** Rows below these begin under the edge of most windows: their rails, half of the page's elements, are drawn second. */
const AT_ONCE = 6

/** The prefixes, newest first. `firstOpen` is open when the page loads. */
export function PrefixList({ prefixes, firstOpen }: { prefixes: readonly TransitPrefix[]; firstOpen: number | null }) {
  const [filter, setFilter] = useState('')
  const [status, setStatus] = useState<Shown | null>(null)
  const [most, setMost] = useState(STEP)
  const wanted = useDeferredValue(filter)
  const box = useRef<HTMLDivElement>(null)
  const onKeyDown = useRowKeys(box, wanted === filter)
  const found = filterRows(prefixes, searchText, wanted)
  const matching = status === null ? found : found.filter((prefix) => isShown(prefix, status))
  const shown = matching.filter((prefix, index) => index < most || prefix.id === firstOpen)
  return (
    // The filter and the prefixes inside receive the keys.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} onKeyDown={onKeyDown}>
      {prefixes.length >= FILTER_FROM && (
        <div className="mb-2.5 flex flex-wrap items-center gap-x-3 gap-y-2">
          <TableFilter label="Filter list" value={filter} onChange={setFilter} />
          <StatusFilter prefixes={prefixes} status={status} onChange={setStatus} />
        </div>
      )}
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {shown.map((prefix, index) => (
          <PrefixItem key={prefix.id} prefix={prefix} open={prefix.id === firstOpen} later={index >= AT_ONCE} />
        ))}
        {shown.length === 0 && (
          <li className="px-3 py-6 text-center text-dim">
            {filter ? `Nothing matches “${filter}”.` : 'No prefixes with this status.'}
          </li>
        )}
      </ul>
      <MorePrefixes shown={shown.length} of={matching.length} onMore={() => setMost(most + STEP)} />
    </div>
  )
}

/** A status, or approved but not announced. An approved prefix that is down is listed under both. */
type Shown = PrefixStatus | 'DOWN'
const SHOWN: readonly Shown[] = ['DOWN', ...PREFIX_STATUSES]
const isShown = (prefix: TransitPrefix, shown: Shown): boolean =>
  shown === 'DOWN' ? isDown(prefix) : prefix.status === shown

function StatusFilter({
  prefixes,
  status,
  onChange,
}: {
  prefixes: readonly TransitPrefix[]
  status: Shown | null
  onChange: (status: Shown | null) => void
}) {
  const count = (one: Shown) => prefixes.filter((prefix) => isShown(prefix, one)).length
  const present = SHOWN.filter((one) => one === status || count(one) > 0)
  return (
    // A group of buttons is not a fieldset: it submits nothing.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-label="Status" className="-mx-1 flex max-w-full gap-1 overflow-x-auto p-1">
      <Choice label="All" count={prefixes.length} on={status === null} onPress={() => onChange(null)} />
      {present.map((one) => (
        <Choice
          key={one}
          label={one === 'DOWN' ? DOWN_BADGE.label : STATUS_BADGE[one].label}
          count={count(one)}
          on={status === one}
          onPress={() => onChange(one)}
        />
      ))}
    </div>
  )
}

const Choice = ({ label, count, on, onPress }: { label: string; count: number; on: boolean; onPress: () => void }) => (
  <button type="button" aria-pressed={on} onClick={onPress} className={FILTER_BADGE}>
    {label} <span className="num text-xs font-normal text-faint">{count}</span>
  </button>
)

const searchText = (prefix: TransitPrefix): string =>
  `${prefix.value} ${prefixBadge(prefix).label} ${ANNOUNCEMENT_LABELS[prefix.announcementType].label} RPKI ${CHECK_BADGE[prefix.rpkiStatus].label} IRR ${CHECK_BADGE[prefix.irrStatus].label}`

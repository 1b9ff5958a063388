import { useDeferredValue, useState } from 'react'
import { filterRows } from '../../portal/ui/table-rows.ts'
import { TableFilter } from '../../portal/ui/TableFilter.tsx'
import type { TransitPrefix } from '../contract.ts'
import { PrefixItem } from './PrefixItem.tsx'
import { STATUS_LOOK } from './prefix-words.ts'

const FILTER_FROM = 8

/** The prefixes, newest first; `firstOpen` stands open when the screen is met. */
export function PrefixList({ prefixes, firstOpen }: { prefixes: readonly TransitPrefix[]; firstOpen: number | null }) {
  const [filter, setFilter] = useState('')
  const wanted = useDeferredValue(filter)
  const shown = filterRows(prefixes, searchText, wanted)
  return (
    <div>
      {prefixes.length >= FILTER_FROM && (
        <div className="mb-2.5">
          <TableFilter label="Filter prefixes" value={filter} onChange={setFilter} />
        </div>
      )}
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {shown.map((prefix) => (
          <PrefixItem key={prefix.id} prefix={prefix} open={prefix.id === firstOpen} />
        ))}
        {shown.length === 0 && <li className="px-3 py-6 text-center text-dim">Nothing matches “{filter}”.</li>}
      </ul>
    </div>
  )
}

const searchText = (prefix: TransitPrefix): string =>
  `${prefix.value} ${STATUS_LOOK[prefix.status].word} ${prefix.announcementType} ${prefix.rpkiStatus} ${prefix.irrStatus}`

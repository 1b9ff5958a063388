import { FILTER_BADGE } from '../../ui/components/filter-variants.ts'
import { formatAsn } from '../../kernel/asn.ts'
import type { TransitPrefix } from '../contract.ts'
import { PREFIX_STATUSES, type PrefixStatus } from '../states.ts'
import { ANNOUNCEMENT_LABELS, CHECK_BADGE, STATUS_BADGE } from './prefix-labels.ts'
import { DOWN_BADGE, headlineText, isDown, prefixBadge, prefixStages } from './prefix-stages.tsx'

/** A status, or approved but not announced. An approved prefix that is down is listed under both. */
export type Shown = PrefixStatus | 'DOWN'
const SHOWN: readonly Shown[] = ['DOWN', ...PREFIX_STATUSES]
export const isShown = (prefix: TransitPrefix, shown: Shown): boolean =>
  shown === 'DOWN' ? isDown(prefix) : prefix.status === shown

export function StatusFilter({
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
    <div role="group" aria-label="Status" className="-mx-1 flex min-w-0 flex-1 gap-1 overflow-x-auto p-1">
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

/** The text of a prefix that the filter searches: what any of the views shows. */
export const searchText = (prefix: TransitPrefix): string =>
  [
    prefix.value,
    prefixBadge(prefix).label,
    headlineText(prefix, prefixStages(prefix, 'owner')),
    ANNOUNCEMENT_LABELS[prefix.announcementType].label,
    prefix.originAsn === null ? '' : formatAsn(prefix.originAsn),
    `RPKI ${CHECK_BADGE[prefix.rpkiStatus].label}`,
    `IRR ${CHECK_BADGE[prefix.irrStatus].label}`,
  ].join(' ')

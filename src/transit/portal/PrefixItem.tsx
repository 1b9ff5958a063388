import { useState } from 'react'
import { Icon } from '../../ui/components/Icon.tsx'
import { StageHeadline, StageRail } from '../../ui/components/StageRail.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import type { TransitPrefix } from '../contract.ts'
import { PrefixDetail } from './PrefixDetail.tsx'
import { prefixBadge, prefixStages } from './prefix-stages.tsx'

/** A prefix in one line; opened, it shows all stages. `later`: its rail is drawn after the rest of the page. */
export function PrefixItem({ prefix, open, later }: { prefix: TransitPrefix; open: boolean; later: boolean }) {
  const { tone, label } = prefixBadge(prefix)
  const stages = prefixStages(prefix, 'owner')
  // Change events do not close it while the customer reads it; only the customer does.
  const [unfolded, setUnfolded] = useState(open)
  const [pointed, setPointed] = useState(open)
  if (open !== pointed) {
    setPointed(open)
    if (open) setUnfolded(true)
  }
  // Drawing the stages of hundreds of closed prefixes at once would be slow.
  const [drawn, setDrawn] = useState(open)
  return (
    <li id={`prefix-${prefix.id}`} className="scroll-mt-16">
      <details
        open={unfolded}
        className="group/prefix"
        onToggle={({ currentTarget }) => {
          setUnfolded(currentTarget.open)
          setDrawn(true)
        }}
      >
        <summary
          data-row
          className="flex min-h-9.5 list-none flex-wrap items-center gap-x-4 gap-y-1.5 px-3 py-2 pointer-coarse:min-h-11 -outline-offset-2 hover:bg-hover"
        >
          <span className="num font-mono font-semibold wrap-anywhere sm:min-w-44">{prefix.value}</span>
          <span className="flex sm:min-w-29 max-lg:ml-auto">
            <StatusBadge tone={tone}>{label}</StatusBadge>
          </span>
          <span className="flex min-w-0 flex-1 max-lg:basis-full">
            {prefix.status !== 'WITHDRAWN' && <StageHeadline stages={stages} />}
          </span>
          {prefix.attention && (
            <span className="flex items-center gap-1.5 text-sm text-warn">
              <Icon name="warning" size={14} />
              RPKI/IRR changed
            </span>
          )}
          <Icon
            name="chevron"
            size={14}
            className="text-faint transition-transform group-open/prefix:rotate-180 max-lg:hidden"
          />
          {prefix.status !== 'WITHDRAWN' && (
            <span className="min-w-0 basis-full">
              <StageRail stages={stages} later={later} />
            </span>
          )}
        </summary>
        {(drawn || unfolded) && <PrefixDetail prefix={prefix} stages={stages} linked />}
      </details>
    </li>
  )
}

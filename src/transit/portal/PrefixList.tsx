import { useState } from 'react'
import type { TransitPrefix } from '../contract.ts'
import { MorePrefixes } from './MorePrefixes.tsx'
import { PrefixItem } from './PrefixItem.tsx'

/** Each prefix draws eight stages. More at once are slow to draw, and more than anybody reads. */
const STEP = 20
/** Rows below these begin under the edge of most windows: their rails, half of the page's elements, are drawn second. */
const AT_ONCE = 6

/** The prefixes, newest first. `firstOpen` is open when the page loads. */
export function PrefixList({ prefixes, firstOpen }: { prefixes: readonly TransitPrefix[]; firstOpen: number | null }) {
  const [most, setMost] = useState(STEP)
  const shown = prefixes.filter((prefix, index) => index < most || prefix.id === firstOpen)
  return (
    <div>
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {shown.map((prefix, index) => (
          <PrefixItem key={prefix.id} prefix={prefix} open={prefix.id === firstOpen} later={index >= AT_ONCE} />
        ))}
      </ul>
      <MorePrefixes shown={shown.length} of={prefixes.length} onMore={() => setMost(most + STEP)} />
    </div>
  )
}

import type { ReactNode } from 'react'
import { Callout } from '../components/Callout.tsx'
import { grouped } from '../components/quantity.ts'

/** Filters of a list, each with its own address. The page provides the links, because it knows its route. */
export const FilterLinks = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav aria-label={label} className="-mx-1 mb-3 flex gap-1 overflow-x-auto p-1">
    {children}
  </nav>
)

/** The class of a filter link; the current one has `aria-current`. */
export { FILTER_BADGE as FILTER_LINK } from '../components/filter-variants.ts'

/** Links to pages that belong together, side by side. */
export const PartLinks = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav aria-label={label} className="mb-4 flex gap-5 overflow-x-auto border-b border-line">
    {children}
  </nav>
)

export const PART_LINK =
  '-mb-px inline-flex h-9 items-center border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-dim hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11 here:border-accent here:text-ink'

export const FilterCount = ({ of }: { of: number }) => (
  <span className="num text-xs font-normal text-faint">{grouped(of)}</span>
)

/** Shown for an address with an unknown filter: the full list must not be mistaken for a filtered one. */
export const UnknownFilter = ({ what, value, shown }: { what: string; value: string; shown: string }) => (
  <div className="mb-4">
    <Callout tone="warn" title={`Unknown ${what} “${value}”`}>
      No filter applied. Showing all {shown}.
    </Callout>
  </div>
)

import type { ReactNode } from 'react'
import { Callout } from '../components/Callout.tsx'

/** Ways to narrow a list, each an address of its own. The links themselves come from the screen, which knows its route. */
export const FilterLinks = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav aria-label={label} className="-mx-1 mb-3 flex gap-1 overflow-x-auto p-1">
    {children}
  </nav>
)

/** The class of such a link; the current one carries `aria-current`. */
export { FILTER_BADGE as FILTER_LINK } from '../components/filter-variants.ts'

/** Screens that belong together, beside each other. */
export const PartLinks = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav aria-label={label} className="mb-4 flex gap-5 overflow-x-auto border-b border-line">
    {children}
  </nav>
)

export const PART_LINK =
  '-mb-px inline-flex h-9 items-center border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-dim hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11 here:border-accent here:text-ink'

const numbers = new Intl.NumberFormat('en')

export const FilterCount = ({ of }: { of: number }) => (
  <span className="num text-xs font-normal text-faint">{numbers.format(of)}</span>
)

/** An address that asks for what there is not: the list of all must not be taken for one that was narrowed. */
export const UnknownFilter = ({ what, value, shown }: { what: string; value: string; shown: string }) => (
  <div className="mb-4">
    <Callout tone="warn" title={`Unknown ${what} “${value}”`}>
      No filter applied. Showing all {shown}.
    </Callout>
  </div>
)

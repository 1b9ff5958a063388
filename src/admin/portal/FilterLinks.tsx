import type { ReactNode } from 'react'

/** Ways to narrow a list, each an address of its own. The links themselves come from the screen, which knows its route. */
export const FilterLinks = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav aria-label={label} className="mb-4 flex gap-5 overflow-x-auto border-b border-line">
    {children}
  </nav>
)

/** The class of such a link; the current one carries `aria-current`. */
export const FILTER_LINK =
  '-mb-px inline-flex h-9 items-center gap-1.5 border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-dim hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11 here:border-accent here:text-ink'

export const FilterCount = ({ of }: { of: number }) => (
  <span className="num rounded-sm bg-sunken px-1 text-xs font-normal text-faint">{of}</span>
)

import type { ReactNode } from 'react'
import { Icon } from '../../portal/ui/Icon.tsx'

/** Where a page lies: links, outermost first. */
export const Crumbs = ({ children }: { children: ReactNode }) => (
  <nav aria-label="Breadcrumb" className="flex flex-wrap items-center gap-1.5 [&_a:hover]:text-ink [&_a]:link">
    {children}
  </nav>
)

export const CrumbMark = () => <Icon name="right" size={11} />

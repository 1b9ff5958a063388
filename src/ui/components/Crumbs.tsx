import { Children, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'

/** Breadcrumbs, outermost first. They are dim, because the title below is more important. */
export const Crumbs = ({ children }: { children: ReactNode }) => (
  <nav
    aria-label="Breadcrumb"
    className="flex min-w-0 flex-wrap items-center gap-1.5 [&_a]:wrap-anywhere [&_a:hover]:text-ink [&_a:hover]:underline"
  >
    {Children.toArray(children).map((crumb, index) => (
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className="inline-flex items-center gap-1.5">
        {index > 0 && <Icon name="right" size={11} />}
        {crumb}
      </span>
    ))}
  </nav>
)

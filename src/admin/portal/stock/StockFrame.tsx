import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHeader } from '../../../portal/ui/PageHeader.tsx'
import { PART_LINK, PartLinks } from '../FilterLinks.tsx'

const PAGES: readonly { readonly to: NonNullable<LinkProps['to']>; readonly label: string }[] = [
  { to: '/admin/stock', label: 'Sites' },
  { to: '/admin/stock/hypervisors', label: 'Hypervisors' },
  { to: '/admin/stock/pools', label: 'Address pools' },
  { to: '/admin/stock/images', label: 'Images' },
  { to: '/admin/stock/edges', label: 'Edges' },
  { to: '/admin/stock/texts', label: 'Site content' },
]

/** What all pages of the stock share: the name of the page, its actions, and the way to its neighbours. */
export const StockFrame = ({
  title,
  summary,
  actions,
  children,
}: {
  title: string
  summary: string
  actions?: ReactNode
  children: ReactNode
}) => (
  <>
    <PageHeader title={title} summary={summary} actions={actions} />
    <PartLinks label="Inventory">
      {PAGES.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: true }} className={PART_LINK}>
          {label}
        </Link>
      ))}
    </PartLinks>
    {children}
  </>
)

import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHeader } from '../../../../ui/components/PageHeader.tsx'
import { PART_LINK, PartLinks } from '../../../../ui/staff/FilterLinks.tsx'

const PAGES: readonly { readonly to: NonNullable<LinkProps['to']>; readonly label: string }[] = [
  { to: '/admin/inventory', label: 'Sites' },
  { to: '/admin/inventory/hypervisors', label: 'Hypervisors' },
  { to: '/admin/inventory/pools', label: 'Address pools' },
  { to: '/admin/inventory/images', label: 'Images' },
  { to: '/admin/inventory/edges', label: 'Edges' },
  { to: '/admin/inventory/maintenance', label: 'Maintenance' },
  { to: '/admin/inventory/approval-policy', label: 'Approval policy' },
  { to: '/admin/inventory/site-content', label: 'Site content' },
]

/** The layout of all inventory pages: title, actions, and links to the other pages. */
export const InventoryLayout = ({
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
    <PartLinks label="Infrastructure">
      {PAGES.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: true }} className={PART_LINK}>
          {label}
        </Link>
      ))}
    </PartLinks>
    {children}
  </>
)

import { Link } from '@tanstack/react-router'
import { PART_LINK, PartLinks } from '../../../ui/staff/FilterLinks.tsx'

/** Tabs of the staff billing pages. */
export const BillingTabs = () => (
  <PartLinks label="Billing for staff">
    {TABS.map(({ to, label }) => (
      <Link key={to} to={to} activeProps={CURRENT} className={PART_LINK}>
        {label}
      </Link>
    ))}
  </PartLinks>
)

const CURRENT = { 'aria-current': 'page' } as const

const TABS = [
  { to: '/admin/revenue', label: 'Revenue' },
  { to: '/admin/invoices', label: 'Invoices' },
  { to: '/admin/prices', label: 'Prices' },
  { to: '/admin/tax', label: 'Tax' },
  { to: '/admin/billing-settings', label: 'Settings' },
] as const

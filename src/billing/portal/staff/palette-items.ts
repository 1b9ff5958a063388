import type { PaletteItem } from '../../../ui/runtime/palette.ts'

/** The staff billing pages that are not in the navigation. */
export const BILLING_ITEMS: readonly PaletteItem[] = [
  { id: 'staff-invoices', label: 'Invoices', hint: 'of all customers', href: '/admin/invoices' },
  { id: 'staff-overdue', label: 'Overdue invoices', keywords: 'dunning debt', href: '/admin/invoices?status=overdue' },
  { id: 'staff-prices', label: 'Prices', keywords: 'plans raise', href: '/admin/prices' },
  { id: 'staff-tax', label: 'Tax', keywords: 'vat rates vies', href: '/admin/tax' },
  {
    id: 'staff-terms',
    label: 'Billing settings',
    keywords: 'settings dunning days limits',
    href: '/admin/billing-settings',
  },
].map((item) => ({ ...item, group: 'Admin', icon: 'billing' as const }))

import { queryClient } from '../../ui/live/query-client.ts'
import type { PaletteItem, PaletteSource } from '../../ui/runtime/palette.ts'
import { invoices } from './api.ts'
import { invoiceName, invoiceState, money, monthName } from './billing-labels.ts'

/** All invoices and credit notes, searchable by number, month and amount. */
export const invoicePalette: PaletteSource = async () => {
  const now = new Date()
  return (await queryClient.ensureQueryData(invoices())).map((invoice): PaletteItem => ({
    id: `invoice-${invoice.id}`,
    label: invoiceName(invoice),
    group: 'Invoice',
    icon: 'billing',
    hint: invoiceState(invoice, now).label,
    keywords: `${monthName(invoice.periodStart)} ${money(invoice.total, invoice.currency)}`,
    href: `/billing/invoices/${invoice.id}`,
  }))
}

import { createFileRoute } from '@tanstack/react-router'
import { readInvoiceSearch } from '../../../../admin/portal/billing/invoice-search.ts'
import { InvoiceListPage } from '../../../../admin/portal/billing/InvoiceListPage.tsx'
import { loadInvoices } from '../../../../admin/portal/billing/loaders.ts'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/invoices')({
  validateSearch: (search: Record<string, unknown>): { status?: string; user?: number } => {
    const { status, user } = readInvoiceSearch(search)
    return { ...(status && { status: status.toLowerCase() }), ...(user && { user }) }
  },
  loader: loadInvoices,
  head: titled('Invoices'),
  component: InvoiceListPage,
})

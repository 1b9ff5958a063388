import { createFileRoute } from '@tanstack/react-router'
import { InvoiceListPage } from '../../../billing/portal/staff/InvoiceListPage.tsx'
import { loadInvoices } from '../../../billing/portal/staff/loaders.ts'
import { titled } from '../../../ui/runtime/title.ts'
import { listSearch } from '../../-list-search.ts'

export const Route = createFileRoute('/_signed-in/admin/invoices')({
  // The page interprets the status: its modules are not part of the first load.
  validateSearch: ({
    status,
    user,
    ...raw
  }: Record<string, unknown>): { status?: string; user?: number; search?: string; sort?: string } => ({
    ...(typeof status === 'string' && status !== '' && { status }),
    ...(typeof user === 'number' && Number.isSafeInteger(user) && user > 0 && { user }),
    ...listSearch(raw),
  }),
  loader: loadInvoices,
  head: titled('Invoices'),
  component: InvoiceListPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { InvoiceListPage } from '../../../../admin/portal/billing/InvoiceListPage.tsx'
import { loadInvoices } from '../../../../admin/portal/billing/loaders.ts'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/invoices')({
  // What the status means is read by the screen: its modules are no part of the first load.
  validateSearch: ({ status, user }: Record<string, unknown>): { status?: string; user?: number } => ({
    ...(typeof status === 'string' && status !== '' && { status }),
    ...(typeof user === 'number' && Number.isSafeInteger(user) && user > 0 && { user }),
  }),
  loader: loadInvoices,
  head: titled('Invoices'),
  component: InvoiceListPage,
})

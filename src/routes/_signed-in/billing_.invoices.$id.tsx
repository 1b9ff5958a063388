import { createFileRoute } from '@tanstack/react-router'
import { InvoicePage } from '../../billing/portal/InvoicePage.tsx'
import { loadInvoice } from '../../billing/portal/loaders.ts'
import { titled } from '../../ui/runtime/title.ts'
import { integerId } from '../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/billing_/invoices/$id')({
  params: integerId,
  loader: ({ params }) => loadInvoice(params.id),
  head: titled('Invoice'),
  component: InvoicePage,
})

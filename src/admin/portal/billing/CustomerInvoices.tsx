import { useState } from 'react'
import { DataTable } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import type { CustomerBilling } from './api.ts'
import { documentColumns } from './invoice-columns.tsx'
import { InvoiceDialog } from './InvoiceDialog.tsx'

export function CustomerInvoices({ billing: { invoices, user } }: { billing: CustomerBilling }) {
  const [shown, setShown] = useState<number | null>(null)
  return (
    <Section title="Invoices" summary="Open an invoice to see its lines and actions.">
      <DataTable
        label="Customer’s invoices"
        columns={documentColumns<CustomerBilling['invoices'][number]>((invoice) => setShown(invoice.id))}
        rows={invoices}
        rowKey={(invoice) => invoice.id}
        empty={
          <EmptyState icon="billing" title="No invoices yet">
            The first invoice is issued at month end.
          </EmptyState>
        }
      />
      {shown !== null && <InvoiceDialog id={shown} user={user} onClose={() => setShown(null)} />}
    </Section>
  )
}

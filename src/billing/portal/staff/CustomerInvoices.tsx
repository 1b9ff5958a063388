import { useState } from 'react'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
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

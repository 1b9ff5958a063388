import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Crumbs } from '../../ui/components/Crumbs.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import { ownInvoice } from './api.ts'
import { invoiceName, invoiceState } from './billing-labels.ts'
import { InvoiceDetail } from './InvoiceDialog.tsx'
import { PayInvoice } from './PayInvoice.tsx'

const route = getRouteApi('/_signed-in/billing_/invoices/$id')

/** One invoice or credit note at its own URL, which emails link to. */
export function InvoicePage() {
  const { id } = route.useParams()
  const { data: invoice } = useSuspenseQuery(ownInvoice(id))
  const [now] = useState(() => new Date())
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/billing">Billing</Link>
          </Crumbs>
        }
        title={invoiceName(invoice)}
        actions={<PayInvoice invoice={invoice} asks={invoiceState(invoice, now).asks} />}
      />
      <div className="max-w-3xl">
        <InvoiceDetail invoice={invoice} now={now} />
      </div>
    </>
  )
}

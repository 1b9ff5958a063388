import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { FormFooter } from '../../ui/components/FormFooter.tsx'
import { billing, invoices, overview } from './api.ts'

/**
 * Issues the final invoice of a customer who leaves. The account closes once nothing is left to invoice, without
 * waiting for the month to end.
 */
export function FinalInvoice() {
  const [asks, setAsks] = useState(false)
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-dim">
      <p>Closing your account? You need a final invoice for this month.</p>
      <Button size="sm" changes onClick={() => setAsks(true)}>
        Final invoice
      </Button>
      {asks && <AskForFinalInvoice onClose={() => setAsks(false)} />}
    </div>
  )
}

function AskForFinalInvoice({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const ask = async (_: FormValues, submission: Submission) => {
    const { invoice } = await billing.call['POST /api/billing/final_invoice'](undefined, submission)
    for (const { queryKey } of [invoices(), overview()]) await queries.invalidateQueries({ queryKey })
    onClose()
    notify({
      type: 'success',
      title: invoice ? 'Final invoice created' : 'Nothing left to invoice',
      body: 'Once everything is paid, you can close your account under Settings.',
    })
  }
  return (
    <Dialog open onClose={onClose} title="Final invoice">
      <Form onSubmit={ask} explain={explainFailure} label="Final invoice">
        <ul className="grid list-disc gap-1 pl-5 text-sm">
          <li>This month’s charges so far are invoiced now and charged to your default card.</li>
          <li>
            Close your account before the month ends. Otherwise IP transit is charged for the whole month, less this
            invoice.
          </li>
          <li>Delete your routers first. They are billed while they exist.</li>
        </ul>
        <FormFooter onCancel={onClose}>Request it</FormFooter>
      </Form>
    </Dialog>
  )
}

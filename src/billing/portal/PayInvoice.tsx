import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clearNotifications, notify } from '../../ui/runtime/notifications.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Confirm } from '../../ui/components/Confirm.tsx'
import type { Invoice, PaymentAttempt } from '../contract.ts'
import { billing, invoices, overview, paymentMethods } from './api.ts'
import { money } from './billing-labels.ts'
import { confirmWithBank } from './confirm-payment.ts'

/**
 * Charges the default card now. If the bank requires confirmation, its own window opens. A customer who cannot
 * confirm makes another card the default, and the pending attempt is canceled.
 */
export function PayInvoice({ invoice, asks }: { invoice: Invoice; asks: 'payment' | 'confirmation' | null }) {
  const queries = useQueryClient()
  const card = useQuery(paymentMethods()).data?.find(({ isDefault }) => isDefault)
  const [busy, setBusy] = useState(false)
  const [step, setStep] = useState<PaymentAttempt | null>(null)
  const params = { id: invoice.id }

  const settle = async (attempt: PaymentAttempt) => {
    clearNotifications()
    if (attempt.status === 'PAID') notify({ type: 'success', title: `${invoice.number} paid` })
    for (const { queryKey } of [invoices(), overview()]) await queries.invalidateQueries({ queryKey })
  }
  const pay = async () => {
    setBusy(true)
    try {
      const body = card ? { paymentMethodId: card.id } : {}
      const attempt = await billing.call['POST /api/invoices/{id}/pay']({ params, body })
      if (attempt.status === 'ACTION_REQUIRED') setStep(attempt)
      else await settle(attempt)
    } finally {
      setBusy(false)
    }
  }
  const confirm = async () => {
    if (!step?.paymentId || !(await confirmWithBank(step))) return
    await settle(await billing.call['POST /api/payments/{id}/confirm']({ params: { id: step.paymentId } }))
  }
  if (asks === null) return null
  return (
    <>
      <Button size="sm" variant="primary" busy={busy} onClick={() => void pay()}>
        {asks === 'payment' ? 'Pay' : 'Confirm'} {money(invoice.open, invoice.currency)}
      </Button>
      <Confirm
        open={step !== null}
        onClose={() => setStep(null)}
        title="Your bank requires confirmation"
        consequences={[
          `${money(invoice.open, invoice.currency)} for ${invoice.number} will be charged once you confirm.`,
        ]}
        action="Confirm payment"
        onConfirm={confirm}
      />
    </>
  )
}

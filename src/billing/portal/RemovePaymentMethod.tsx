import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { Dialog } from '../../ui/components/Dialog.tsx'
import type { PaymentMethod } from '../contract.ts'
import { billing, paymentMethods } from './api.ts'
import { cardName } from './card-labels.ts'

/** Removes a card. If it must stay, the dialog shows the reason. */
export function RemovePaymentMethod({ method, onClose }: { method: PaymentMethod; onClose: () => void }) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const remove = async () => {
    setBusy(true)
    try {
      await billing.call['DELETE /api/account/payment_methods/{id}']({ params: { id: method.id } }, { notify: false })
      await queries.invalidateQueries({ queryKey: paymentMethods().queryKey })
      onClose()
    } catch (error) {
      const explained = explainFailure(error)
      if (!explained) throw error
      setRefused(explained.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${cardName(method)}?`}
      footer={
        <>
          <Button onClick={onClose}>{refused ? 'Close' : 'Cancel'}</Button>
          <Button variant="danger" busy={busy} disabledReason={refused} onClick={() => void remove()}>
            Remove card
          </Button>
        </>
      }
    >
      {refused ? (
        <Callout tone="warn" title="It can’t be removed yet" alert>
          {refused}
        </Callout>
      ) : (
        <p className="text-sm text-dim">
          It will no longer be charged.
          {method.isDefault && ' The next card in the list becomes the default.'}
        </p>
      )}
    </Dialog>
  )
}

/** Adds a card through the provider's form, which is a separate chunk. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { clearNotifications, notify } from '../../ui/runtime/notifications.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { ErrorState } from '../../ui/components/EmptyState.tsx'
import { Skeleton } from '../../ui/components/Skeleton.tsx'
import { billing, paymentMethods } from './api.ts'
import { cardName } from './card-labels.ts'
import type { CardFormProps } from './card-form.ts'
import { TestCardForm } from './TestCardForm.tsx'

const StripeCardForm = lazy(() => import('./StripeCardForm.tsx'))

export default function AddPaymentMethod({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const setup = useQuery({
    queryKey: ['payment setup'],
    queryFn: ({ signal }) =>
      billing.call['POST /api/account/payment_methods/setup'](undefined, { signal, notify: false }),
    // A secret for one form: it is not cached for the next one, and not refetched while the user fills in the form.
    gcTime: 0,
    staleTime: Infinity,
  })
  const save: CardFormProps['onToken'] = async (token, submission) => {
    const method = await billing.call['POST /api/account/payment_methods']({ body: { token } }, submission)
    await queries.invalidateQueries({ queryKey: paymentMethods().queryKey })
    onClose()
    clearNotifications()
    notify({ type: 'success', title: `${cardName(method)} is saved` })
  }
  const form = { onToken: save, onCancel: onClose }
  return (
    <Dialog open onClose={onClose} title="Add payment method">
      {setup.data?.provider === 'test' && <TestCardForm {...form} cards={setup.data.testCards} />}
      {setup.data?.provider === 'stripe' && (
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <StripeCardForm
            {...form}
            publishableKey={setup.data.publishableKey ?? ''}
            clientSecret={setup.data.clientSecret}
          />
        </Suspense>
      )}
      {setup.isPending && <Skeleton className="h-48 w-full" />}
      {setup.isError && (
        <ErrorState
          retry={
            <Button size="sm" onClick={() => void setup.refetch()}>
              Try again
            </Button>
          }
        >
          {explainFailure(setup.error)?.message ?? 'The payment provider could not be reached.'}
        </ErrorState>
      )}
    </Dialog>
  )
}

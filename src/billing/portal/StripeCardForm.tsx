import { useEffect, useRef, useState } from 'react'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { ErrorState } from '../../ui/components/EmptyState.tsx'
import { Form, type FormErrors, type Submission } from '../../ui/components/Form.tsx'
import type { CardFormProps } from './card-form.ts'
import { FormFooter } from '../../ui/components/FormFooter.tsx'
import { loadStripe, type StripeClient, type StripeElements } from './stripe-script.ts'

class CardDeclined extends Error {
  override readonly name = 'CardDeclined'
}

type Progress = 'loading' | 'ready' | 'failed'

/** The provider's own form in its own frame: no card number passes through this page. */
export default function StripeCardForm({
  publishableKey,
  clientSecret,
  onToken,
  onCancel,
}: CardFormProps & { publishableKey: string; clientSecret: string }) {
  const place = useRef<HTMLDivElement>(null)
  const made = useRef<{ stripe: StripeClient; elements: StripeElements }>(null)
  const [progress, setProgress] = useState<Progress>('loading')
  useEffect(() => {
    let gone = false
    loadStripe().then(
      (make) => {
        if (gone || !place.current) return
        const stripe = make(publishableKey)
        const elements = stripe.elements({ clientSecret, appearance: appearance() })
        const form = elements.create('payment')
        form.on('ready', () => setProgress('ready'))
        form.mount(place.current)
        made.current = { stripe, elements }
      },
      () => {
        if (!gone) setProgress('failed')
      },
    )
    return () => {
      gone = true
    }
  }, [publishableKey, clientSecret])

  const save = async (_: unknown, submission: Submission) => {
    if (!made.current) return
    const { stripe, elements } = made.current
    const { error, setupIntent } = await stripe.confirmSetup({
      elements,
      redirect: 'if_required',
      confirmParams: { return_url: location.href },
    })
    if (error || !setupIntent) throw new CardDeclined(error?.message ?? 'The card could not be saved. Try another.')
    await onToken(setupIntent.id, submission)
  }
  if (progress === 'failed') {
    return (
      <ErrorState title="The card form did not load">
        A content blocker may have blocked it. Allow js.stripe.com, close this dialog and try again.
      </ErrorState>
    )
  }
  return (
    <Form onSubmit={save} explain={explain}>
      <div ref={place} className="min-h-48" />
      <FormFooter onCancel={onCancel} waits={progress === 'ready' ? null : 'The form is still loading.'}>
        Save card
      </FormFooter>
    </Form>
  )
}

const explain = (error: unknown): FormErrors | null =>
  error instanceof CardDeclined ? { fields: {}, message: error.message } : explainFailure(error)

const appearance = () => ({
  theme: getComputedStyle(document.documentElement).colorScheme === 'dark' ? 'night' : 'stripe',
})

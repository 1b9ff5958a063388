import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { ChoiceCards } from '../../ui/components/choices.tsx'
import { Form } from '../../ui/components/Form.tsx'
import type { CardFormProps } from './card-form.ts'
import { FormFooter } from '../../ui/components/FormFooter.tsx'

/** Replaces the card form with the built-in test provider: a choice of cards, each named for its behavior. */
export function TestCardForm({
  cards,
  onToken,
  onCancel,
}: CardFormProps & { cards: readonly { readonly token: string; readonly label: string }[] }) {
  return (
    <Form onSubmit={(values, submission) => onToken(values.text('token'), submission)} explain={explainFailure}>
      <Callout>Test mode: no real charges are made.</Callout>
      <ChoiceCards
        legend="Test card"
        name="token"
        {...(cards[0] ? { defaultValue: cards[0].token } : {})}
        options={cards.map((card) => ({ value: card.token, label: card.label }))}
      />
      <FormFooter onCancel={onCancel}>Save card</FormFooter>
    </Form>
  )
}

import { PUBLIC_EVENT_TYPES, type PublicEventType } from '../../kernel/public-events.ts'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { TextField } from '../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { FormFooter } from '../../ui/components/FormFooter.tsx'
import type { WebhookEndpoint } from '../contract.ts'
import { EventChoice } from './EventChoice.tsx'

export interface WebhookFields {
  readonly url: string
  readonly description: string
  readonly events: PublicEventType[]
}

/** The form for a new endpoint, or for changing one. */
export function WebhookForm({
  endpoint,
  onSubmit,
  onClose,
}: {
  endpoint?: WebhookEndpoint
  onSubmit: (fields: WebhookFields, submission: Submission) => Promise<void>
  onClose: () => void
}) {
  const title = endpoint ? 'Change webhook' : 'New webhook'
  const submit = (values: FormValues, submission: Submission) => {
    const chosen = new Set(values.all('events'))
    const events = PUBLIC_EVENT_TYPES.filter((type) => chosen.has(type))
    return onSubmit({ url: values.text('url'), description: values.text('description'), events }, submission)
  }
  return (
    <Dialog open onClose={onClose} title={title} width="lg">
      <Form onSubmit={submit} explain={explainFailure} label={title}>
        <TextField
          label="Address"
          name="url"
          mono
          // Not `required`: the server reports this and missing events together, and the browser only this.
          aria-required
          spellCheck={false}
          autoComplete="off"
          placeholder="https://hooks.example.net/longhaul"
          defaultValue={endpoint?.url ?? ''}
          hint="A public https URL. Respond with 2xx within 15 seconds. Redirects are not followed."
        />
        <TextField
          label="Description"
          name="description"
          optional
          maxLength={200}
          placeholder="Alerts the on-call team"
          defaultValue={endpoint?.description ?? ''}
        />
        <EventChoice chosen={endpoint?.events ?? []} />
        <FormFooter onCancel={onClose}>{endpoint ? 'Save webhook' : 'Add webhook'}</FormFooter>
      </Form>
    </Dialog>
  )
}

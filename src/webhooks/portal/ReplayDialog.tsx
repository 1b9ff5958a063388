import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { SelectField } from '../../ui/components/Field.tsx'
import { Form, type FormValues } from '../../ui/components/Form.tsx'
import { FormFooter } from '../../ui/components/FormFooter.tsx'
import { RETENTION_DAYS } from '../states.ts'
import { webhooks } from './api.ts'

const HOUR_MS = 3_600_000
const RANGES = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last day' },
  { value: '168', label: 'the last week' },
  { value: String(RETENTION_DAYS * 24 - 1), label: `the last ${RETENTION_DAYS} days` },
]

export function ReplayDialog(props: { endpointId: number; onClose: () => void; onDone: () => void }) {
  const replay = async (values: FormValues) => {
    const since = new Date(Date.now() - Number(values.text('hours')) * HOUR_MS).toISOString()
    const { queued, more } = await webhooks.call['POST /api/webhooks/{id}/replay'](
      { params: { id: props.endpointId }, body: { since } },
      { notify: false },
    )
    props.onDone()
    props.onClose()
    notify({
      type: 'success',
      title: queued === 1 ? '1 message is on its way' : `${queued} messages are on their way`,
      body: more ? 'More remain. Send again once these have arrived.' : 'They keep their original IDs.',
    })
  }
  return (
    <Dialog open onClose={props.onClose} title="Send again" width="sm">
      <Form onSubmit={replay} explain={explainFailure}>
        <SelectField
          label="Events from"
          name="hours"
          defaultValue="24"
          choices={RANGES}
          hint="Includes messages already delivered and events while it was off. Receivers can detect duplicates by Webhook-Id."
        />
        <FormFooter onCancel={props.onClose}>Send again</FormFooter>
      </Form>
    </Dialog>
  )
}

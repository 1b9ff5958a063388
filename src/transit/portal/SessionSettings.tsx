import { useQueryClient } from '@tanstack/react-query'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { Checkbox, ChoiceCards } from '../../ui/components/choices.tsx'
import { TextField } from '../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { FormFooter } from '../../ui/components/FormFooter.tsx'
import type { TransitConnection } from '../contract.ts'
import { EXPORTS, LACK_TEXT } from '../states.ts'
import { ownConnection, transit } from './api.ts'
import { EXPORTS_LABELS } from './prefix-labels.ts'

/** The settings that both sessions share. The portal's own image follows automatically; other software needs a manual change. */
export function SessionSettings({ connection, onDone }: { connection: TransitConnection; onDone: () => void }) {
  const queries = useQueryClient()
  const save = async (values: FormValues, submission: Submission) => {
    const password = values.raw('password')
    const body = {
      enabled: values.on('enabled'),
      exports: EXPORTS.find((one) => one === values.text('exports')) ?? connection.exports,
      ...(password !== '' ? { password } : values.on('unsigned') ? { password: null } : {}),
    }
    const saved = await transit.call['PUT /api/transit_connection']({ body }, submission)
    queries.setQueryData(ownConnection().queryKey, saved)
    onDone()
  }
  return (
    <Form onSubmit={save} explain={explainFailure}>
      <Checkbox
        name="enabled"
        label="Enable sessions"
        hint="When disabled, both sessions go down and your prefixes are withdrawn."
        defaultChecked={connection.enabled}
      />
      <ChoiceCards
        legend="Routes sent to you"
        name="exports"
        defaultValue={connection.exports}
        options={EXPORTS.map((value) => ({ value, ...EXPORTS_LABELS[value] }))}
      />
      <TextField
        label="TCP MD5 password"
        name="password"
        type="password"
        mono
        optional
        autoComplete="new-password"
        maxLength={80}
        disabled={connection.edge.lacks.includes('md5')}
        hint={
          connection.edge.lacks.includes('md5')
            ? LACK_TEXT.md5
            : connection.hasPassword
              ? 'A password is set. Leave empty to keep it.'
              : 'Used for both sessions (RFC 2385). Configure the same password on your router.'
        }
      />
      {connection.hasPassword && <Checkbox name="unsigned" label="Remove the password" />}
      <FormFooter onCancel={onDone}>Save settings</FormFooter>
    </Form>
  )
}

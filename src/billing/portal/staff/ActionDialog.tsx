import type { ReactNode } from 'react'
import { notify } from '../../../ui/runtime/notifications.ts'
import { TextField } from '../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../ui/components/Form.tsx'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'

export interface ActionDialogProps {
  readonly title: string
  /** The consequences of the action, one per item. */
  readonly consequences: readonly ReactNode[]
  /** The action as a verb with its object. */
  readonly action: string
  readonly danger?: boolean
  readonly children?: ReactNode
  readonly reasonHint?: string
  /** The notification after it succeeds. */
  readonly done: string
  readonly onClose: () => void
  readonly onSubmit: (reason: string, values: FormValues, submission: Submission) => Promise<unknown>
}

/** A dialog for actions that move money: it lists the consequences and requires a reason for the audit log. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, consequences, action, danger, children, reasonHint, done, onClose, onSubmit } = props
  const submit = async (values: FormValues, submission: Submission) => {
    await onSubmit(values.text('reason'), values, submission)
    notify({ type: 'success', title: done, body: '' })
  }
  return (
    <FormDialog title={title} action={action} danger={danger ?? false} onClose={onClose} onSubmit={submit}>
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        {consequences.map((consequence, index) => (
          <li key={index}>{consequence}</li>
        ))}
      </ul>
      {children}
      <TextField
        label="Reason"
        name="reason"
        required
        maxLength={200}
        hint={reasonHint ?? 'Recorded in the audit log. Not shown to the customer.'}
      />
    </FormDialog>
  )
}

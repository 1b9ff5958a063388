import type { ReactNode } from 'react'
import { explainFailure } from '../runtime/explain-failure.ts'
import { Dialog, type DialogProps } from '../components/Dialog.tsx'
import { Form, type FormValues, type Submission } from '../components/Form.tsx'
import { FormFooter } from '../components/FormFooter.tsx'

/** A few fields and one action. It closes once the action succeeds. */
export function FormDialog({
  title,
  action,
  danger = false,
  width = 'md',
  onClose,
  onSubmit,
  children,
}: {
  title: string
  /** The action as a verb with its object: `Add site`. */
  action: string
  danger?: boolean
  width?: DialogProps['width']
  onClose: () => void
  onSubmit: (values: FormValues, submission: Submission) => Promise<unknown>
  children: ReactNode
}) {
  const submit = async (values: FormValues, submission: Submission) => {
    await onSubmit(values, submission)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={title} width={width}>
      <Form onSubmit={submit} explain={explainFailure}>
        {children}
        <FormFooter onCancel={onClose} variant={danger ? 'danger' : 'primary'}>
          {action}
        </FormFooter>
      </Form>
    </Dialog>
  )
}

import type { ReactNode } from 'react'
import { explainFailure } from '../../portal/explain-failure.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { Dialog } from '../../portal/ui/Dialog.tsx'
import { Form, type FormValues, type Submission } from '../../portal/ui/Form.tsx'

/** A few fields and one deed. It closes itself once that is done. */
export function FormDialog({
  title,
  action,
  danger = false,
  onClose,
  onSubmit,
  children,
}: {
  title: string
  /** The deed as a verb with its object: `Add site`. */
  action: string
  danger?: boolean
  onClose: () => void
  onSubmit: (values: FormValues, submission: Submission) => Promise<unknown>
  children: ReactNode
}) {
  const submit = async (values: FormValues, submission: Submission) => {
    await onSubmit(values, submission)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form onSubmit={submit} explain={explainFailure}>
        {({ busy }) => (
          <>
            {children}
            <div className="flex justify-end gap-2">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy}>
                {action}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  )
}

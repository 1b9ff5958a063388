import { useState } from 'react'
import { explainFailure } from '../../portal/explain-failure.ts'
import { notify } from '../../portal/notifications.ts'
import { Button, type ButtonProps } from '../../portal/ui/Button.tsx'
import { Dialog } from '../../portal/ui/Dialog.tsx'
import { Form, type Submission } from '../../portal/ui/Form.tsx'
import { FormFoot } from '../../portal/ui/FormFoot.tsx'
import type { Router } from '../contract.ts'
import { NameField } from './OrderChoices.tsx'
import { refusal } from './router-words.ts'

export interface RestoreProps extends Pick<ButtonProps, 'look' | 'size' | 'disabledReason'> {
  readonly router: Pick<Router, 'name' | 'state' | 'labels'>
  readonly onRestore: (name: string, submission: Submission) => Promise<unknown>
}

/** Takes a deletion back. Asked once more, because it costs again, and because its name may be another's by now. */
export function RestoreRouter({ router, onRestore, disabledReason, ...look }: RestoreProps) {
  const [open, setOpen] = useState(false)
  const restore = async (name: string, submission: Submission) => {
    await onRestore(name, submission)
    setOpen(false)
    notify({ type: 'success', title: `${name} restored` })
  }
  return (
    <>
      <Button
        {...look}
        icon="refresh"
        disabledReason={disabledReason ?? refusal(router, 'restore')}
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
      >
        Restore
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`Restore ${router.name}`}>
        <Form
          onSubmit={(values, submission) => restore(values.text('name'), submission)}
          explain={explainFailure}
          label="Restore router"
        >
          <ul className="list-disc space-y-1 pl-5 text-sm">
            <li>It returns with its disk and addresses, running or stopped as before.</li>
            <li>Its BGP sessions and prefixes return with it.</li>
            <li>The plan {router.labels.plan} is billed again from now. The time in between is free.</li>
          </ul>
          <NameField value={router.name} />
          <FormFoot onCancel={() => setOpen(false)}>Restore router</FormFoot>
        </Form>
      </Dialog>
    </>
  )
}

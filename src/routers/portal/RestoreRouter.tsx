import { useState } from 'react'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import { Button, type ButtonProps } from '../../ui/components/Button.tsx'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { Form, type Submission } from '../../ui/components/Form.tsx'
import { FormFooter } from '../../ui/components/FormFooter.tsx'
import type { Router } from '../contract.ts'
import { NameField } from './OrderChoices.tsx'
import { blockedReason } from './router-labels.ts'

export interface RestoreProps extends Pick<ButtonProps, 'variant' | 'size' | 'disabledReason'> {
  readonly router: Pick<Router, 'name' | 'state' | 'labels'>
  readonly onRestore: (name: string, submission: Submission) => Promise<unknown>
}

/** Undoes a deletion. Asks for confirmation, because the router is charged again and its name may be taken by now. */
export function RestoreRouter({ router, onRestore, disabledReason, ...variant }: RestoreProps) {
  const [open, setOpen] = useState(false)
  const restore = async (name: string, submission: Submission) => {
    await onRestore(name, submission)
    setOpen(false)
    notify({ type: 'success', title: `${name} restored` })
  }
  return (
    <>
      <Button
        {...variant}
        icon="refresh"
        disabledReason={disabledReason ?? blockedReason(router, 'restore')}
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
          <ul className="grid list-disc gap-1 pl-5 text-sm">
            <li>It returns with its disk and addresses, running or stopped as before.</li>
            <li>Its BGP sessions and prefixes return with it.</li>
            <li>The plan {router.labels.plan} is billed again from now. The time in between is free.</li>
          </ul>
          <NameField value={router.name} />
          <FormFooter onCancel={() => setOpen(false)}>Restore router</FormFooter>
        </Form>
      </Dialog>
    </>
  )
}

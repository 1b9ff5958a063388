import { useId, useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { useReadOnlyReason } from './change-denial.ts'
import { Dialog } from './Dialog.tsx'
import { CONTROL } from './Field.tsx'

export interface ConfirmByNameProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** The name that must be typed. */
  readonly name: string
  /** The consequences, one per item. */
  readonly consequences: readonly ReactNode[]
  /** The action as a verb with its object: `Delete router`. */
  readonly action: string
  readonly onConfirm: () => Promise<void>
}

/** Asks for confirmation of a destructive action: it lists the consequences and requires the name to be typed. */
export function ConfirmByName({ open, onClose, title, name, consequences, action, onConfirm }: ConfirmByNameProps) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const nothingChanges = useReadOnlyReason()
  const id = useId()
  const close = () => {
    setTyped('')
    onClose()
  }
  const confirm = async () => {
    if (busy || nothingChanges || typed !== name) return
    setBusy(true)
    try {
      await onConfirm()
      close()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="danger"
            busy={busy}
            disabledReason={typed === name ? null : `Type “${name}” to confirm.`}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </>
      }
    >
      <ul className="mb-4 grid list-disc gap-1 pl-5 text-sm">
        {consequences.map((consequence, index) => (
          <li key={index}>{consequence}</li>
        ))}
      </ul>
      <label htmlFor={id} className="mb-1.5 block text-sm">
        Type <strong className="font-mono font-semibold break-all">{name}</strong> to confirm
      </label>
      <input
        id={id}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        className={`${CONTROL} font-mono`}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void confirm()
        }}
      />
    </Dialog>
  )
}

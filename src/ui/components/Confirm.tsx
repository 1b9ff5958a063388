import { useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

export interface ConfirmProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** The consequences, one per item. */
  readonly consequences: readonly ReactNode[]
  /** The action as a verb with its object: `Withdraw prefix`. */
  readonly action: string
  /** Uses the danger color, because something is lost. */
  readonly danger?: boolean
  readonly onConfirm: () => Promise<void>
  /** Replaces the consequences. */
  readonly children?: ReactNode
}

/** Asks for confirmation of a disruptive action that can be undone; for others use {@link ConfirmByName}. */
export function Confirm({
  open,
  onClose,
  title,
  consequences,
  action,
  danger = false,
  onConfirm,
  children,
}: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      {children ?? (
        <ul className="grid list-disc gap-1 pl-5 text-sm">
          {consequences.map((consequence, index) => (
            <li key={index}>{consequence}</li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

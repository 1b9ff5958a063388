import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { useFormState } from './form-state.ts'

export interface FormFooterProps {
  /** The label of the submit button, in the imperative. */
  readonly children: ReactNode
  readonly onCancel: () => void
  readonly variant?: 'primary' | 'danger'
  /** Why it cannot be submitted yet. */
  readonly waits?: string | null
  /** False: read-only staff may submit it too. */
  readonly changes?: boolean
}

/** The buttons of a dialog's form, in reach however long it is. */
export function FormFooter({ children, onCancel, variant = 'primary', waits = null, changes = true }: FormFooterProps) {
  const { busy } = useFormState()
  return (
    <div className="sticky -bottom-4 z-1 -mx-4 -mb-4 flex justify-end gap-2 border-t border-line bg-sunken px-4 py-3">
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" variant={variant} busy={busy} disabledReason={waits} changes={changes}>
        {children}
      </Button>
    </div>
  )
}

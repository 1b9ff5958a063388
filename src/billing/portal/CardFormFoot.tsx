import { Button } from '../../portal/ui/Button.tsx'
import { useFormState } from '../../portal/ui/form-state.ts'

export function CardFormFoot({ onCancel, waits = null }: { onCancel: () => void; waits?: string | null }) {
  const { busy } = useFormState()
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" look="primary" busy={busy} disabledReason={waits}>
        Save card
      </Button>
    </div>
  )
}

import { Button } from '../../portal/ui/Button.tsx'
import { useFormState } from '../../portal/ui/form-state.ts'

export function SubmitButton({ children }: { children: string }) {
  const { busy } = useFormState()
  return (
    <Button type="submit" look="primary" busy={busy} className="h-9 w-full">
      {children}
    </Button>
  )
}

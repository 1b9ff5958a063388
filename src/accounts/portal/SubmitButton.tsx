import { Button } from '../../ui/components/Button.tsx'
import { useFormState } from '../../ui/components/form-state.ts'

export function SubmitButton({ children }: { children: string }) {
  const { busy } = useFormState()
  return (
    <Button type="submit" variant="primary" busy={busy} className="h-9 w-full">
      {children}
    </Button>
  )
}

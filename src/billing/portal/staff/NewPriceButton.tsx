import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { Button } from '../../../ui/components/Button.tsx'

export function NewPriceButton({ name, onClick }: { name: string; onClick: () => void }) {
  const missingRole = useMissingRoleReason('billing')
  return (
    <Button size="sm" aria-label={`New price for ${name}`} disabledReason={missingRole} onClick={onClick}>
      New price
    </Button>
  )
}

import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'

export function NewPriceButton({ name, onClick }: { name: string; onClick: () => void }) {
  const duty = useDutyRefusal('billing')
  return (
    <Button size="sm" aria-label={`New price for ${name}`} disabledReason={duty} onClick={onClick}>
      New price
    </Button>
  )
}

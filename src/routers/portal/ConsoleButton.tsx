import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Icon } from '../../ui/components/Icon.tsx'
import { useConsoleBlockedReason } from './use-console-error.ts'

/** Links to the consoles of a router. */
export function ConsoleButton({ id }: { id: number }) {
  const blockedReason = useConsoleBlockedReason()
  if (blockedReason !== null) {
    return (
      <Button
        variant="primary"
        icon="terminal"
        className="max-sm:w-full"
        changes={false}
        disabledReason={blockedReason}
      >
        Console
      </Button>
    )
  }
  return (
    <Link to="/routers/$id/display" params={{ id }} className={buttonClass('primary', 'md', 'max-sm:w-full')}>
      <Icon name="terminal" size={15} />
      Console
    </Link>
  )
}

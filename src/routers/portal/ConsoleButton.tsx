import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../portal/ui/button-look.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { Icon } from '../../portal/ui/Icon.tsx'
import { useConsoleRefusal } from './use-console-refusal.ts'

/** The way to the consoles of a router. */
export function ConsoleButton({ id }: { id: number }) {
  const refusal = useConsoleRefusal()
  if (refusal !== null) {
    return (
      <Button look="primary" icon="terminal" className="max-sm:w-full" changes={false} disabledReason={refusal}>
        Console
      </Button>
    )
  }
  return (
    <Link to="/routers/$id/display" params={{ id }} className={buttonLook('primary', 'md', 'max-sm:w-full')}>
      <Icon name="terminal" size={15} />
      Console
    </Link>
  )
}

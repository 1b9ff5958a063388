import { Button } from '../components/Button.tsx'
import type { FrameProps } from './frame-props.ts'
import { ThemeChoice } from './ThemeChoice.tsx'

/** Shows the signed-in user, and links about the user rather than the network. */
export function AccountMenu({ user, onOpen, onSignOut }: FrameProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-0.5">
        <Button
          variant="quiet"
          icon="help"
          className="justify-start gap-2.5 px-2.5 text-base font-normal"
          onClick={() => onOpen('support')}
        >
          Support
        </Button>
        <Button
          variant="quiet"
          icon="exit"
          className="justify-start gap-2.5 px-2.5 text-base font-normal"
          onClick={onSignOut}
        >
          Sign out
        </Button>
      </div>
      <div className="flex items-center justify-between gap-2 border-t border-line px-1 pt-3">
        <div className="min-w-0 text-xs">
          <p className="truncate font-medium text-ink">
            {user.firstName} {user.lastName}
          </p>
          <p className="truncate text-faint" title={user.email}>
            {user.email}
          </p>
        </div>
        <ThemeChoice />
      </div>
    </div>
  )
}

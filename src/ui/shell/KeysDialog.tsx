import { commandKey } from '../runtime/shortcuts.ts'
import { Dialog } from '../components/Dialog.tsx'
import { Kbd } from '../components/Kbd.tsx'
import type { CurrentUser } from '../runtime/session.ts'
import { navigationOf } from './navigation.ts'

interface KeysDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly user: CurrentUser
}

export default function KeysDialog({ open, onClose, user }: KeysDialogProps) {
  const { own, staff } = navigationOf(user)
  const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
    [[commandKey, 'K'], 'Jump to a screen, a router, a prefix or an action'],
    [['/'], 'Filter the table'],
    [['Enter'], 'Open the only row that a filter leaves'],
    [['↓', '↑'], 'Go from row to row'],
    [['?'], 'Show keyboard shortcuts'],
    [['Esc'], 'Close the open dialog'],
    ...(user.isAdmin ? [[['`'], 'Show or hide the developer bar'] as const] : []),
    ...own.map(({ key, label }) => [['g', key], `Go to ${label}`] as const),
    ...staff.map(({ key, label, to }) => {
      const shared = own.some((item) => item.label === label && item.to !== to)
      return [['g', key], `Go to ${label}${shared ? ' of customers' : ''}`] as const
    }),
  ]
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard">
      {/* Longer than a phone is high: what scrolls must be reachable without a mouse. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <dl tabIndex={0} className="divide-y divide-line">
        {keys.map(([combination, does]) => (
          <div key={does} className="flex h-9 items-center justify-between gap-4">
            <dt className="text-base">{does}</dt>
            <dd className="flex gap-1">
              {combination.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

import { commandKey } from '../runtime/shortcuts.ts'
import { Dialog } from '../components/Dialog.tsx'
import { Kbd } from '../components/Kbd.tsx'
import type { CurrentUser } from '../runtime/session.ts'
import { navigationOf } from './navigation.ts'

type Shortcut = readonly [keys: readonly string[], does: string]

const STAFF_KEYS: readonly Shortcut[] = [
  [['`'], 'Show or hide the developer bar'],
  [['j'], 'Next prefix to decide'],
  [['k'], 'Previous prefix to decide'],
  [['a'], 'Approve the prefix'],
  [['r'], 'Reject the prefix'],
  [['u'], 'Undo the last decision'],
]

interface KeysDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly user: CurrentUser
}

export default function KeysDialog({ open, onClose, user }: KeysDialogProps) {
  const { own, staff } = navigationOf(user)
  const keys: readonly Shortcut[] = [
    [[commandKey, 'K'], 'Jump to a screen, a router, a prefix or an action'],
    [['/'], 'Filter the table'],
    [['Enter'], 'Open the only row that a filter leaves'],
    [['↓', '↑'], 'Go from row to row'],
    [['?'], 'Show keyboard shortcuts'],
    [['Esc'], 'Close the open dialog'],
    ...(user.isAdmin ? STAFF_KEYS : []),
    ...[...own, ...staff].map(({ key, label }) => [['g', key], `Go to ${label}`] as const),
  ]
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard">
      {/* Taller than a phone: what scrolls must be reachable without a mouse. */}
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

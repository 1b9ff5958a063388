import { commandKey } from '../runtime/shortcuts.ts'
import { Dialog } from '../components/Dialog.tsx'
import { Kbd } from '../components/Kbd.tsx'
import { NAV_ITEMS, STAFF_HOME, STAFF_NAV_ITEMS } from './navigation.ts'

export default function KeysDialog({ open, onClose, staff }: { open: boolean; onClose: () => void; staff: boolean }) {
  const items = staff ? [...NAV_ITEMS, STAFF_HOME, ...STAFF_NAV_ITEMS] : NAV_ITEMS
  const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
    [[commandKey, 'K'], 'Jump to a screen, a router, a prefix or an action'],
    [['/'], 'Filter the table'],
    [['Enter'], 'Open the only row that a filter leaves'],
    [['↓', '↑'], 'Go from row to row'],
    [['?'], 'Show keyboard shortcuts'],
    [['Esc'], 'Close the open dialog'],
    ...(staff ? [[['`'], 'Show or hide the developer bar'] as const] : []),
    ...items.map((item) => [['g', item.key], `Go to ${item.label}`] as const),
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

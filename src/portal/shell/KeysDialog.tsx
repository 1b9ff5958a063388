import { commandKey } from '../shortcuts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { PLACES, STAFF_HOME, STAFF_PLACES } from './navigation.ts'

export default function KeysDialog({ open, onClose, staff }: { open: boolean; onClose: () => void; staff: boolean }) {
  const places = staff ? [...PLACES, STAFF_HOME, ...STAFF_PLACES] : PLACES
  const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
    [[commandKey, 'K'], 'Jump to a screen, a router, a prefix or an action'],
    [['/'], 'Filter the table'],
    [['?'], 'Show keyboard shortcuts'],
    [['Esc'], 'Close the open dialog'],
    ...(staff ? [[['`'], 'Show or hide the developer bar'] as const] : []),
    ...places.map((place) => [['g', place.key], `Go to ${place.label}`] as const),
  ]
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard">
      <dl className="divide-y divide-line">
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

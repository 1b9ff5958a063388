import { Button } from '../../ui/components/Button.tsx'
import { Menu } from '../../ui/components/Menu.tsx'
import type { MenuEntry } from '../../ui/components/menu-entries.ts'
import type { Router } from '../contract.ts'
import type { PowerAction } from '../states.ts'
import { PowerConfirm } from './PowerConfirm.tsx'
import { POWER_BUTTON, blockedReason } from './router-labels.ts'
import { usePower } from './use-power.ts'

/** Shows everyday actions openly; the rare ones are in the menu. */
const AT_HAND = ['start', 'shutdown', 'reboot'] as const satisfies PowerAction[]
const FURTHER = ['stop', 'reset', 'reinstall'] as const satisfies PowerAction[]

export function PowerActions({
  router,
  further = [],
}: {
  router: Pick<Router, 'id' | 'name' | 'state'> & Partial<Pick<Router, 'deleteProtected'>>
  /** Further menu entries, after the power actions. */
  further?: readonly MenuEntry[]
}) {
  const power = usePower(router)
  const entries = FURTHER.map((action): MenuEntry => {
    const { label, icon, destroys } = POWER_BUTTON[action]
    return {
      label,
      icon,
      ...(destroys ? { danger: true } : {}),
      disabledReason: blockedReason(router, action),
      onSelect: () => power.press(action),
    }
  })
  return (
    <>
      {AT_HAND.map((action) => (
        <Button
          key={action}
          icon={POWER_BUTTON[action].icon}
          busy={power.busy === action}
          disabledReason={blockedReason(router, action)}
          onClick={() => power.press(action)}
          className="max-sm:flex-1"
        >
          {POWER_BUTTON[action].label}
        </Button>
      ))}
      <Menu label={`More actions for ${router.name}`} entries={[...entries, ...further]} />
      <PowerConfirm router={router} power={power} />
    </>
  )
}

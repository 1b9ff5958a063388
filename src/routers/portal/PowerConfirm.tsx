import { Confirm } from '../../ui/components/Confirm.tsx'
import { ConfirmByName } from '../../ui/components/ConfirmByName.tsx'
import type { Router } from '../contract.ts'
import { POWER_BUTTON } from './router-labels.ts'
import type { Power } from './use-power.ts'

/** Asks for confirmation before a disruptive power action. */
export function PowerConfirm({ router, power }: { router: Pick<Router, 'name'>; power: Power }) {
  if (!power.asked) return null
  const { label, consequences = [], destroys } = POWER_BUTTON[power.asked]
  const props = {
    open: true,
    onClose: power.cancel,
    title: `${label} ${router.name}?`,
    consequences,
    onConfirm: power.confirm,
  }
  return destroys ? (
    <ConfirmByName {...props} name={router.name} action={`${label} router`} />
  ) : (
    <Confirm {...props} action={label} danger={power.asked === 'stop' || power.asked === 'reset'} />
  )
}

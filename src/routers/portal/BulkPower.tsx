import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { Confirm } from '../../ui/components/Confirm.tsx'
import { notify } from '../../ui/runtime/notifications.ts'
import { BULK_POWER_ACTIONS, type BulkPowerAction } from '../states.ts'
import { routerList, routers as client } from './api.ts'
import { countOf, outcomesInWords, selectionProblem, splitSelection, type Selected } from './bulk-power.ts'
import { BulkPowerPlan } from './BulkPowerPlan.tsx'
import { POWER_BUTTON } from './router-labels.ts'

/** Starts, shuts down or reboots the selected routers in one request, and shows the outcome of each. */
export function BulkPower({ routers, onDone }: { routers: readonly Selected[]; onDone: () => void }) {
  const queries = useQueryClient()
  const [asked, setAsked] = useState<BulkPowerAction | null>(null)
  const send = async (action: BulkPowerAction) => {
    const ids = splitSelection(action, routers).taken.map(({ id }) => id)
    const outcomes = await client.call['POST /api/virtual_machines/actions']({ body: { action, ids } })
    notify(outcomesInWords(action, outcomes))
    void queries.invalidateQueries({ queryKey: routerList().queryKey })
    onDone()
  }
  const taken = asked ? splitSelection(asked, routers).taken.length : 0
  return (
    <>
      <BulkPowerButtons routers={routers} onPress={setAsked} />
      {asked && (
        <Confirm
          open
          onClose={() => setAsked(null)}
          title={`${POWER_BUTTON[asked].label} ${countOf(taken)}?`}
          consequences={[]}
          action={`${POWER_BUTTON[asked].label} ${countOf(taken)}`}
          onConfirm={() => send(asked)}
        >
          <BulkPowerPlan action={asked} routers={routers} />
        </Confirm>
      )}
    </>
  )
}

export const BulkPowerButtons = ({
  routers,
  blockedReason,
  onPress,
}: {
  routers: readonly Selected[]
  blockedReason?: string | null | undefined
  onPress: (action: BulkPowerAction) => void
}) =>
  BULK_POWER_ACTIONS.map((action) => (
    <Button
      key={action}
      icon={POWER_BUTTON[action].icon}
      disabledReason={blockedReason ?? selectionProblem(action, routers)}
      onClick={() => onPress(action)}
    >
      {POWER_BUTTON[action].label}
    </Button>
  ))

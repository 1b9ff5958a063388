import { Callout } from '../../ui/components/Callout.tsx'
import type { BulkPowerAction } from '../states.ts'
import { leftOutTitle, namesOf, splitSelection, type Selected } from './bulk-power.ts'
import { POWER_BUTTON } from './router-labels.ts'

/**
 * Shows before the press which of the selected routers it affects, the consequences for them, and which it leaves out.
 */
export function BulkPowerPlan({ action, routers }: { action: BulkPowerAction; routers: readonly Selected[] }) {
  const { taken, left } = splitSelection(action, routers)
  const { label, consequences = ['The router is powered on.'] } = POWER_BUTTON[action]
  return (
    <div className="grid gap-3 text-sm">
      <p className="wrap-anywhere">
        {label}: <span className="font-medium">{namesOf(taken)}</span>
      </p>
      {taken.length > 1 && <p>For each of them:</p>}
      <ul className="grid list-disc gap-1 pl-5">
        {consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      {left.length > 0 && (
        <Callout
          tone="warn"
          title={leftOutTitle(
            action,
            left.reduce((sum, { count }) => sum + count, 0),
          )}
        >
          <ul className="grid gap-1">
            {left.map(({ state, names }) => (
              <li key={state} className="wrap-anywhere">
                {state[0]!.toUpperCase() + state.slice(1)}: {names}
              </li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  )
}

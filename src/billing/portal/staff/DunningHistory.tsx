import { DUNNING_STAGES, type DunningStage } from '../../states.ts'
import { Time } from '../../../ui/components/Time.tsx'
import type { CustomerBilling } from './api.ts'
import { STAGE_BADGE } from './money-labels.ts'

type Event = CustomerBilling['dunning']['history'][number]

/** Lists the past dunning events, newest first. Renders nothing for an account that was never reminded. */
export function DunningHistory({ history }: { history: readonly Event[] }) {
  if (history.length === 0) return null
  return (
    <details className="text-sm" open={history.length <= 4}>
      <summary className="w-fit rounded-sm text-dim hover:text-ink">History</summary>
      <ol aria-label="Dunning history" className="mt-2 grid gap-1.5">
        {history.map((event) => (
          <li key={`${event.at} ${event.action}`} className="flex flex-wrap gap-x-3">
            <span className="w-28 shrink-0 text-faint">
              <Time at={event.at} />
            </span>
            <span>
              {describeStep(event)}
              {event.reason && <span className="text-dim">: {event.reason}</span>}
            </span>
            <span className="text-faint">{event.by ?? 'on schedule'}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}

const stageOf = (name: string | null): DunningStage | undefined => DUNNING_STAGES.find((stage) => stage === name)

function describeStep({ action, after }: Event): string {
  switch (action) {
    case 'dunning.paused':
      return 'Paused'
    case 'dunning.resumed':
      return 'Resumed'
    case 'dunning.lifted':
      return 'Suspension ended by staff'
    default: {
      const stage = stageOf(after)
      return stage ? STAGE_BADGE[stage].label : action
    }
  }
}

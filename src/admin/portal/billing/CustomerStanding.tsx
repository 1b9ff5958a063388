import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { StageList, type Stage } from '../../../portal/ui/StageList.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { DUNNING_STAGES } from '../../../billing/states.ts'
import type { CustomerBilling } from './api.ts'
import { DunningDialog, type DunningDeed } from './DunningDialog.tsx'
import { DunningHistory } from './DunningHistory.tsx'
import { STAGE_LOOK } from './money-words.ts'

const BEYOND_WARNING = DUNNING_STAGES.indexOf('WARNED')

/** Where dunning stands, how it got there, and what comes next if nothing is paid. */
export function CustomerStanding({ billing }: { billing: CustomerBilling }) {
  const [asked, setAsked] = useState<DunningDeed | null>(null)
  const duty = useDutyRefusal('billing')
  const { dunning, overview } = billing
  const { stage, hold } = dunning
  const overdue = overview.standing.invoiceId !== null
  const held = DUNNING_STAGES.indexOf(stage) > BEYOND_WARNING
  return (
    <Section
      title="Account status"
      summary={STAGE_LOOK[stage].what}
      actions={
        <>
          {hold ? (
            <Button disabledReason={duty} onClick={() => setAsked('resume')}>
              Resume dunning
            </Button>
          ) : (
            <Button
              disabledReason={duty ?? (overdue ? null : 'Nothing is overdue, so there is nothing to pause.')}
              onClick={() => setAsked('pause')}
            >
              Pause dunning
            </Button>
          )}
          <Button
            disabledReason={duty ?? (held ? null : 'This account is not suspended.')}
            onClick={() => setAsked('lift')}
          >
            End suspension
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {hold && (
          <Callout tone="warn" title="Dunning is paused">
            Until the end of <Time at={lastMomentBefore(hold.until)} as="utc-day" /> (UTC)
            {hold.by && <> by {hold.by}</>}: {hold.reason}
          </Callout>
        )}
        {overdue && <StageList label="Dunning steps" stages={stagesOf(billing)} />}
        <DunningHistory history={dunning.history} />
      </div>
      {asked && <DunningDialog id={billing.user.id} deed={asked} onClose={() => setAsked(null)} />}
    </Section>
  )
}

/** A hold ends when the day that was chosen does. */
const lastMomentBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString()

function stagesOf({ dunning, overview }: CustomerBilling): Stage[] {
  const at = DUNNING_STAGES.indexOf(dunning.stage)
  const next = new Map(overview.standing.next.map((step) => [step.stage, step.at]))
  return DUNNING_STAGES.slice(1).map((stage, index): Stage => {
    const position = index + 1
    const reached = position <= at
    return {
      id: stage,
      label: STAGE_LOOK[stage].word,
      state: position === at ? 'attention' : reached ? 'done' : 'waiting',
      at: position === at ? overview.standing.since : (next.get(stage) ?? null),
      summary: STAGE_LOOK[stage].what,
    }
  })
}

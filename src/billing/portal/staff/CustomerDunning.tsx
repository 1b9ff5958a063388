import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { StageList, type Stage } from '../../../ui/components/StageList.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import { DUNNING_STAGES } from '../../states.ts'
import type { CustomerBilling } from './api.ts'
import { DunningDialog, type DunningAction } from './DunningDialog.tsx'
import { DunningHistory } from './DunningHistory.tsx'
import { STAGE_BADGE } from './money-labels.ts'

const BEYOND_WARNING = DUNNING_STAGES.indexOf('WARNED')

/** Shows the dunning stage, how the account got there, and what comes next if nothing is paid. */
export function CustomerDunning({ billing }: { billing: CustomerBilling }) {
  const [asked, setAsked] = useState<DunningAction | null>(null)
  const denial = useStaffDenial('billing', billing.user.id)
  const { dunning, overview } = billing
  const { stage, pause } = dunning
  const overdue = overview.dunning.invoiceId !== null
  const held = DUNNING_STAGES.indexOf(stage) > BEYOND_WARNING
  return (
    <Section
      title="Account status"
      summary={STAGE_BADGE[stage].what}
      actions={
        <>
          {pause ? (
            <Button disabledReason={denial} onClick={() => setAsked('resume')}>
              Resume dunning
            </Button>
          ) : (
            <Button
              disabledReason={denial ?? (overdue ? null : 'Nothing is overdue, so there is nothing to pause.')}
              onClick={() => setAsked('pause')}
            >
              Pause dunning
            </Button>
          )}
          <Button
            disabledReason={denial ?? (held ? null : 'This account is not suspended.')}
            onClick={() => setAsked('lift')}
          >
            End suspension
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {pause && (
          <Callout tone="warn" title="Dunning is paused">
            Until the end of <Time at={lastMomentBefore(pause.until)} as="utc-day" /> (UTC)
            {pause.by && <> by {pause.by}</>}: {pause.reason}
          </Callout>
        )}
        {overdue && <StageList label="Dunning steps" stages={stagesOf(billing)} />}
        <DunningHistory history={dunning.history} />
      </div>
      {asked && <DunningDialog id={billing.user.id} action={asked} onClose={() => setAsked(null)} />}
    </Section>
  )
}

/** A pause ends at the end of the chosen day. */
const lastMomentBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString()

function stagesOf({ dunning, overview }: CustomerBilling): Stage[] {
  const at = DUNNING_STAGES.indexOf(dunning.stage)
  const next = new Map(overview.dunning.next.map((step) => [step.stage, step.at]))
  return DUNNING_STAGES.slice(1).map((stage, index): Stage => {
    const position = index + 1
    const reached = position <= at
    return {
      id: stage,
      label: STAGE_BADGE[stage].label,
      state: position === at ? 'attention' : reached ? 'done' : 'waiting',
      at: position === at ? overview.dunning.since : (next.get(stage) ?? null),
      summary: STAGE_BADGE[stage].what,
    }
  })
}

import { StageList, type Stage, type StageState } from '../../ui/components/StageList.tsx'
import { duration } from '../../ui/components/relative-time.ts'
import type { Router } from '../contract.ts'
import { STEP_LABELS } from './router-labels.ts'

/** Shows how far a router is from its order to its first answer. */
export function CreationSteps({
  router,
}: {
  router: Pick<Router, 'state' | 'stateKnown' | 'steps' | 'failure' | 'createdAt'>
}) {
  return <StageList label="Creating the router" stages={stagesOf(router)} />
}

function stagesOf({
  state,
  stateKnown,
  steps,
  failure,
  createdAt,
}: Parameters<typeof CreationSteps>[0]['router']): Stage[] {
  const current = steps.findIndex((step) => step.at === null)
  return steps.map((step, index): Stage => {
    const { label, now } = STEP_LABELS[step.name]
    const stage: StageState =
      step.at !== null ? 'done' : index > current ? 'waiting' : state === 'FAILED' ? 'failed' : 'now'
    const before = index === 0 ? createdAt : steps[index - 1]?.at
    return {
      id: step.name,
      label,
      state: stage,
      at: step.at,
      summary:
        stage === 'done' && step.at && before
          ? `took ${duration(Date.parse(step.at) - Date.parse(before))}`
          : stage === 'now'
            ? stateKnown
              ? now
              : 'Waiting for a host'
            : stage === 'failed'
              ? failure
              : undefined,
    }
  })
}

import type { Stage as ShownStage, StageState } from '../../portal/ui/StageList.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { Stage, TransitPrefix } from '../contract.ts'
import { FixList } from './FixList.tsx'
import { STAGE_LABELS } from './prefix-words.ts'
import { RouteObjectList, VrpList } from './Records.tsx'
import { StageTodo, type StageReader } from './StageTodo.tsx'

type Evidence = Pick<TransitPrefix, 'stages' | 'rpki' | 'irr'>

/** The way of a prefix to the world, each stage with what was found and what would mend it. */
export function prefixStages(prefix: Evidence, reader: StageReader): ShownStage[] {
  const current = prefix.stages.find((stage) => stage.state !== 'done')
  return prefix.stages.map((stage) => {
    const state = stage === current && look(stage) === 'waiting' ? 'now' : look(stage)
    return {
      id: stage.name,
      label: STAGE_LABELS[stage.name],
      state,
      at: stage.at,
      summary: summaryOf(stage, reader),
      evidence: evidenceOf(prefix, stage),
      word: wordOf(stage, state, reader),
    }
  })
}

/** Nothing of ours works on these: somebody else's turn has come. */
const STAGES_OF_OTHERS: ReadonlySet<Stage['name']> = new Set(['staff', 'received'])

function wordOf({ name, todo }: Stage, state: StageState, reader: StageReader): string | undefined {
  if (todo) return reader === 'owner' ? 'needs your action' : 'needs customer action'
  return state === 'now' && STAGES_OF_OTHERS.has(name) ? 'waiting' : undefined
}

/** What is still open and has a remedy, or is the customer's to do, asks for attention; what failed says so itself. */
const look = ({ state, fixes, todo }: Stage): StageState =>
  state === 'waiting' && (fixes.length > 0 || todo !== null) ? 'attention' : state

function summaryOf({ detail, earlier, todo }: Stage, reader: StageReader) {
  if (earlier === null && todo === null) return detail
  return (
    <>
      {detail}
      {earlier && (
        <>
          ; {earlier.what} <Time at={earlier.at} />
        </>
      )}
      {todo && <StageTodo todo={todo} reader={reader} />}
    </>
  )
}

function evidenceOf({ rpki, irr }: Evidence, { name, fixes }: Stage) {
  const vrps = name === 'rpki' ? rpki.vrps : []
  const objects = name === 'irr' ? irr.objects : []
  if (vrps.length + objects.length + fixes.length === 0) return undefined
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <VrpList vrps={vrps} />
      <RouteObjectList objects={objects} />
      <FixList fixes={fixes} />
    </div>
  )
}

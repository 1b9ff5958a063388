import type { Stage as ShownStage, StageState } from '../../portal/ui/StageList.tsx'
import type { Stage, TransitPrefix } from '../contract.ts'
import { FixList } from './FixList.tsx'
import { STAGE_LABELS } from './prefix-words.ts'
import { RouteObjectList, VrpList } from './Records.tsx'

type Evidence = Pick<TransitPrefix, 'stages' | 'rpki' | 'irr'>

/** The way of a prefix to the world, each stage with what was found and what would mend it. */
export function prefixStages(prefix: Evidence): ShownStage[] {
  const current = prefix.stages.find((stage) => stage.state !== 'done')
  return prefix.stages.map((stage) => ({
    id: stage.name,
    label: STAGE_LABELS[stage.name],
    state: stage === current && look(stage) === 'waiting' ? 'now' : look(stage),
    at: stage.at,
    summary: stage.detail,
    evidence: evidenceOf(prefix, stage),
    ...(STAGES_OF_OTHERS.has(stage.name) && { nowWord: 'waiting' }),
  }))
}

/** Nothing of ours works on these: somebody else's turn has come. */
const STAGES_OF_OTHERS: ReadonlySet<Stage['name']> = new Set(['staff', 'received'])

/** What is still open and has a remedy asks for attention; what failed says so itself. */
const look = ({ state, fixes }: Stage): StageState => (state === 'waiting' && fixes.length > 0 ? 'attention' : state)

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

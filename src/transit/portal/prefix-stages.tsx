import { Link } from '@tanstack/react-router'
import { parsePrefix } from '../../kernel/prefix.ts'
import { focusOf, type Stage as ShownStage, type StageState } from '../../ui/components/StageList.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { Stage, TransitPrefix } from '../contract.ts'
import { RemediationList } from './RemediationList.tsx'
import { STAGE_LABELS, STATUS_BADGE } from './prefix-labels.ts'
import { RouteObjectList, VrpList } from './Records.tsx'
import { StageTodo, type StageReader } from './StageTodo.tsx'

type Evidence = Pick<TransitPrefix, 'value' | 'status' | 'checkedAt' | 'stages' | 'rpki' | 'irr'>

/** Stages of an approved prefix that the edge reports. */
const OBSERVED: ReadonlySet<Stage['name']> = new Set(['received', 'accepted', 'exported'])
const failsOnAir = ({ name, state }: Stage): boolean => state === 'failed' && OBSERVED.has(name)

type Lost = Pick<TransitPrefix, 'status' | 'stages'>

/** The stage at which an approved prefix that was announced now fails. */
export const failingStage = ({ status, stages }: Lost): Stage | undefined =>
  status === 'APPROVED' ? stages.find(failsOnAir) : undefined

/** Approved but not reachable: its owner has to read that, and not the approval. */
export const isDown = (prefix: Lost): boolean => failingStage(prefix) !== undefined

export const DOWN_BADGE = { tone: 'bad', label: 'Not announced' } as const
export const prefixBadge = (prefix: Lost) => (isDown(prefix) ? DOWN_BADGE : STATUS_BADGE[prefix.status])

/** Returns the stages of a prefix, each with its evidence and the fix. */
export function prefixStages(prefix: Evidence, reader: StageReader): ShownStage[] {
  const badge = badgeIn(prefix)
  const current = prefix.stages.find((stage) => stage.state !== 'done' && badge(stage) !== 'missing')
  return prefix.stages.map((stage) => {
    const state = stage === current && badge(stage) === 'waiting' ? 'now' : badge(stage)
    return {
      id: stage.name,
      label: STAGE_LABELS[stage.name],
      state,
      at: stage.at,
      summary: failsOnAir(stage) ? failureOf(prefix, stage, reader) : summaryOf(stage, reader),
      detail: failsOnAir(stage) ? <Failure {...stage} /> : detailOf(stage),
      evidence: evidenceOf(prefix, stage),
      statusText: labelOf(stage, state, reader),
    }
  })
}

/** Returns the headline as text. The screen adds how long a failure has lasted. */
export function headlineText(prefix: Pick<TransitPrefix, 'stages'>, stages: readonly ShownStage[]): string {
  const shown = focusOf(stages)
  const stage = prefix.stages.find(({ name }) => name === shown?.id)
  if (!shown || !stage) return ''
  const detail = [detailOf(stage), failsOnAir(stage) && stage.cause].filter(Boolean).join('. ')
  return detail ? `${shown.label}: ${detail}` : shown.label
}

const CHECKS: ReadonlySet<Stage['name']> = new Set(['rpki', 'irr'])

/** Stages that wait for other people and not for our software. */
const STAGES_OF_OTHERS: ReadonlySet<Stage['name']> = new Set(['staff', 'received'])

function labelOf({ name, todo }: Stage, state: StageState, reader: StageReader): string | undefined {
  if (todo) return reader === 'owner' ? 'needs your action' : 'needs customer action'
  return state === 'now' && STAGES_OF_OTHERS.has(name) ? 'waiting' : undefined
}

/**
 * An open stage with a remedy, or with an action for the customer, shows attention. A failed stage has its own state. A
 * pending request waits for staff, who decide with and without a ROA and a route object: its owner need not act.
 */
const badgeIn =
  ({ status, checkedAt }: Evidence) =>
  ({ name, state, remediation, todo }: Stage): StageState => {
    if (state !== 'waiting') return state
    if (status === 'PENDING' && checkedAt !== null && CHECKS.has(name)) return 'missing'
    return remediation.length > 0 || todo !== null ? 'attention' : state
  }

const detailOf = ({ detail, todo }: Stage): string =>
  todo === 'CHOOSE_ROUTER' ? `${detail}: select one under Connection` : detail

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

/** The problem, how long it has lasted, and its cause. */
const Failure = ({ detail, at, cause }: Stage) => (
  <>
    {detail}
    {at && (
      <>
        {' '}
        for <Time at={at} as="since" />
      </>
    )}
    .{cause && ` ${withPeriod(cause)}`}
  </>
)

function failureOf({ value }: Evidence, stage: Stage, reader: StageReader) {
  const { name, cause, fix } = stage
  if (reader === 'staff')
    return (
      <>
        <Failure {...stage} cause={null} />
        {(cause ?? fix) && ` The customer reads: “${[cause, fix].filter(Boolean).join(' ')}”`}
      </>
    )
  return (
    <>
      <Failure {...stage} /> {fix && `${fix} `}
      {name === 'received' && (
        <Link to="/transit/sessions/$family" params={{ family: parsePrefix(value).family }} className="link">
          Open session
        </Link>
      )}
    </>
  )
}

const withPeriod = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

function evidenceOf({ rpki, irr }: Evidence, { name, remediation }: Stage) {
  const vrps = name === 'rpki' ? rpki.vrps : []
  const objects = name === 'irr' ? irr.objects : []
  if (vrps.length + objects.length + remediation.length === 0) return undefined
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <VrpList vrps={vrps} />
      <RouteObjectList objects={objects} />
      <RemediationList remediation={remediation} />
    </div>
  )
}

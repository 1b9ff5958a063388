import { formatAsn } from '../../kernel/asn.ts'
import { CodeBlock } from '../../portal/ui/CodeBlock.tsx'
import type { Stage as ShownStage, StageState } from '../../portal/ui/StageList.tsx'
import type { AdminTransitPrefix, Stage } from '../../transit/contract.ts'
import type { StageName } from '../../transit/states.ts'

const LABELS: Readonly<Record<StageName, string>> = {
  requested: 'Requested',
  rpki: 'RPKI',
  irr: 'IRR',
  staff: 'Staff',
  filter: 'Filter loaded',
  received: 'Received',
  accepted: 'Accepted',
  exported: 'Exported',
}

/** The stages of a prefix with what the sources said, for somebody who has to judge it. */
export function prefixStages(prefix: AdminTransitPrefix): ShownStage[] {
  const current = prefix.stages.find((stage) => stage.state !== 'done')
  return prefix.stages.map((stage) => ({
    id: stage.name,
    label: LABELS[stage.name],
    state: stage === current && stage.state === 'waiting' ? 'now' : look(stage),
    at: stage.at,
    summary: stage.detail,
    evidence: evidenceOf(prefix, stage),
  }))
}

/** A check that found something to mend asks for attention; what failed for good is a failure. */
const look = ({ state, fixes }: Stage): StageState => (state === 'waiting' && fixes.length > 0 ? 'attention' : state)

function evidenceOf(prefix: AdminTransitPrefix, stage: Stage) {
  const records = stage.name === 'rpki' ? vrpsOf(prefix) : stage.name === 'irr' ? objectsOf(prefix) : null
  if (records === null && stage.fixes.length === 0) return undefined
  return (
    <div className="grid gap-2.5">
      {records}
      {stage.fixes.map((fix) => (
        <CodeBlock key={fix.title} label={fix.title} snippets={[{ label: fix.title, text: fix.text }]} />
      ))}
    </div>
  )
}

function vrpsOf({ rpki }: AdminTransitPrefix) {
  if (rpki.vrps.length === 0) return null
  return (
    <ul aria-label="VRPs that cover it" className="grid gap-0.5 font-mono text-sm">
      {rpki.vrps.map((vrp) => (
        <li key={`${vrp.prefix} ${vrp.maxLength} ${vrp.asn}`} className={vrp.matched ? 'text-ok' : ''}>
          {vrp.prefix}-{vrp.maxLength} {formatAsn(vrp.asn)} {vrp.matched ? 'matches' : 'does not match'}
        </li>
      ))}
    </ul>
  )
}

function objectsOf({ irr }: AdminTransitPrefix) {
  if (irr.objects.length === 0) return null
  return (
    <ul aria-label="Route objects" className="grid gap-0.5 font-mono text-sm">
      {irr.objects.map((object) => (
        <li key={`${object.source} ${object.prefix} ${object.origin}`}>
          {object.prefix} {formatAsn(object.origin)} {object.source}
          {!object.exact && <span className="text-faint"> (covers it)</span>}
        </li>
      ))}
    </ul>
  )
}

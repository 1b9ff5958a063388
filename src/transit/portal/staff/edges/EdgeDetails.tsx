import { formatAsn } from '../../../../kernel/asn.ts'
import { PropertyTable, type Property } from '../../../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { AdminEdge } from '../../../contract.ts'

const generation = (label: string, digest: string | null): Property => ({
  label,
  value: <code className="text-xs wrap-anywhere">{digest ?? 'none'}</code>,
  wide: true,
})

/** What one edge is and runs. */
export function EdgeDetails({ edge }: { edge: AdminEdge }) {
  const { process, sessions, sites } = edge
  return (
    <PropertyTable
      items={[
        { label: 'State', value: <EdgeState edge={edge} /> },
        { label: 'Sites', value: sites.map(({ name }) => name).join(', ') || 'none' },
        { label: 'Short name', value: <code>{edge.slug}</code> },
        {
          label: 'Sessions',
          value: (
            <span className="num">
              {sessions.established} of {sessions.all} established{process && !process.alive ? ', as last seen' : ''}
            </span>
          ),
        },
        {
          label: 'Worker',
          wide: true,
          value: process?.alive ? (
            <>
              {process.name} <span className="text-dim">since</span> <Time at={process.since} />
            </>
          ) : (
            'none'
          ),
        },
        { label: 'RPKI', value: <OriginValidation edge={edge} />, wide: true },
        { label: 'Driver', value: edge.kind === null ? 'not reported yet' : `${edge.kind}: ${edge.why}` },
        { label: 'ASN', value: <code>{formatAsn(edge.asn)}</code> },
        { label: 'BGP identifier', value: <code>{edge.routerId ?? 'not reported yet'}</code> },
        { label: 'Last checked', value: <Time at={edge.observedAt} none="never" /> },
        { label: 'Last applied', value: <Time at={edge.appliedAt} none="never" /> },
        { label: 'Last attempt', value: <Time at={edge.attemptedAt} none="never" /> },
        generation('Configuration', edge.generation),
        ...(edge.generation === edge.wantedGeneration ? [] : [generation('Desired', edge.wantedGeneration)]),
      ]}
    />
  )
}

export function OriginValidation({ edge }: { edge: AdminEdge }) {
  if (edge.originValidation === null) return edge.kind === 'simulated' ? 'not simulated' : 'not reported yet'
  const { vrps, caches } = edge.originValidation
  const up = caches.filter((one) => one.up).length
  return (
    <span className="num">
      {vrps.toLocaleString('en')} VRPs{caches.length > 0 && ` · ${up} of ${caches.length} RTR sessions up`}
    </span>
  )
}

export function EdgeState({ edge }: { edge: AdminEdge }) {
  const [tone, text] = edgeStatus(edge)
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <StatusBadge tone={tone}>{text}</StatusBadge>
      {edge.reverted && <StatusBadge tone="warn">Reverted</StatusBadge>}
      {edge.maintenance && <StatusBadge tone="warn">Maintenance</StatusBadge>}
      {edge.kind === 'simulated' && <StatusBadge tone="warn">Simulated</StatusBadge>}
    </span>
  )
}

function edgeStatus({ process, errorKind, current }: AdminEdge): ['bad' | 'ok' | 'busy' | 'waiting' | 'warn', string] {
  if (process === null) return ['waiting', 'Waiting for its agent']
  if (!process.alive || errorKind === 'no_agent') return ['bad', 'Unreachable']
  if (errorKind === 'unconfirmed') return ['warn', 'Needs confirmation']
  if (errorKind !== null) return ['bad', errorKind === 'refused' ? 'Configuration rejected' : 'Unreachable']
  return current ? ['ok', 'Current'] : ['busy', 'Updating']
}

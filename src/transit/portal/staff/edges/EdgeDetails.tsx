import { formatAsn } from '../../../../kernel/asn.ts'
import { PropertyTable, type Property } from '../../../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { AdminEdge } from '../../../contract.ts'
import { announcementLink, upstreamsLink, type Link } from './topology-tones.ts'

const generation = (label: string, digest: string | null): Property => ({
  label,
  value: <code className="text-xs wrap-anywhere">{digest ?? 'none'}</code>,
  wide: true,
})

/** The properties and the configuration of one edge. */
export function EdgeDetails({ edge }: { edge: AdminEdge }) {
  const { process, sites } = edge
  return (
    <PropertyTable
      items={[
        { label: 'State', value: <EdgeState edge={edge} /> },
        { label: 'Sites', value: sites.map(({ name }) => name).join(', ') || 'none' },
        { label: 'Short name', value: <code>{edge.slug}</code> },
        {
          label: 'Sessions',
          value: <EdgeSessions edge={edge} />,
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
        { label: 'Upstreams', value: <EdgeUpstreams edge={edge} /> },
        { label: 'Announced', value: <EdgeAnnouncements edge={edge} /> },
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

export const EdgeSessions = ({ edge }: { edge: AdminEdge }) => (
  <span className="num">
    {edge.sessions.established} of {edge.sessions.all} established{lastSeen(edge)}
  </span>
)

/** Red when one of its sessions with upstreams is down. */
export const EdgeUpstreams = ({ edge }: { edge: AdminEdge }) => (
  <Linked link={upstreamsLink(edge.upstreams, !isUnreachable(edge))} />
)

/** Red when the edge accepts prefixes but announces none: its upstream sessions are down, or its configuration is wrong. */
export const EdgeAnnouncements = ({ edge }: { edge: AdminEdge }) => (
  <Linked link={announcementLink(edge.prefixes, !isUnreachable(edge))} />
)

const Linked = ({ link: { tone, label } }: { link: Link }) =>
  tone === 'bad' || tone === 'warn' ? <StatusBadge tone={tone}>{label}</StatusBadge> : label

export function OriginValidation({ edge }: { edge: AdminEdge }) {
  if (edge.originValidation === null) return edge.kind === 'simulated' ? 'no VRPs' : 'not reported yet'
  const { vrps, caches } = edge.originValidation
  const up = caches.filter((one) => one.up).length
  return (
    <span className="num">
      {vrps.toLocaleString('en')} VRPs{caches.length > 0 && ` · ${up} of ${caches.length} RTR sessions up`}
      {lastSeen(edge)}
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
    </span>
  )
}

export const isUnreachable = ({ process, errorKind }: AdminEdge): boolean =>
  !process?.alive || errorKind === 'no_agent' || errorKind === 'unreachable'

const lastSeen = (edge: AdminEdge): string => (isUnreachable(edge) ? ', as last seen' : '')

function edgeStatus({ process, errorKind, current }: AdminEdge): ['bad' | 'ok' | 'busy' | 'waiting' | 'warn', string] {
  if (process === null) return ['waiting', 'Waiting for its agent']
  if (!process.alive || errorKind === 'no_agent') return ['bad', 'Unreachable']
  if (errorKind === 'unconfirmed') return ['warn', 'Needs confirmation']
  if (errorKind !== null) return ['bad', errorKind === 'refused' ? 'Configuration rejected' : 'Unreachable']
  return current ? ['ok', 'Current'] : ['busy', 'Updating']
}

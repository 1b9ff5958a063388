import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState, type ReactNode } from 'react'
import { formatAsn } from '../../../../kernel/asn.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { StatusMark, type Tone } from '../../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { AdminEdge, StaffTopology } from '../../../contract.ts'
import { topology } from '../api.ts'
import { EdgeState, OriginValidation } from './EdgeDetails.tsx'
import {
  announcementLink,
  sessionLabel,
  sessionTone,
  shownAtFirst,
  upstreamsLink,
  upstreamTone,
  worstUpstreamsFirst,
  type TopologyGroup,
  type Upstream,
} from './topology-tones.ts'

const MOST_UPSTREAMS = 6
const COLOR: Readonly<Record<Tone, string>> = {
  ok: 'text-ok',
  busy: 'text-accent',
  waiting: 'text-accent',
  warn: 'text-warn',
  bad: 'text-bad',
  off: 'text-faint',
  unknown: 'text-faint',
}
/** The gap between two parts, in pixels. */
const GAP = 36

/** Upstreams, the edge, and the hypervisors with their routers: side by side, or below each other on narrow screens. */
export function EdgeTopology({ edge }: { edge: AdminEdge }) {
  const { data } = useSuspenseQuery(topology())
  const heading = useId()
  const own = data.edges.find(({ id }) => id === edge.id)
  if (!own) return null
  const isReachable = edge.process?.alive === true && edge.errorKind !== 'unreachable'
  const announcement = announcementLink(own.prefixes, isReachable)
  const toUpstreams = upstreamsLink(edge.upstreams, isReachable)
  const fails = !isReachable || edge.error !== null
  return (
    <figure aria-labelledby={heading} className="@container mb-4 rounded-md border border-line bg-surface p-3">
      <figcaption id={heading} className="sr-only">
        Topology of {edge.name}
      </figcaption>
      {/* The edge is as high as its neighbors, so that each of their lines ends at it. */}
      <ol className="flex @max-list:block">
        <li style={{ flex: '0 1 20rem' }}>
          <p className="flex items-baseline gap-1.5 text-sm font-semibold">
            <StatusMark tone={toUpstreams.tone} />
            <span className="num">{edge.upstreams === null ? 'Upstreams' : toUpstreams.label}</span>
          </p>
          <Upstreams edge={edge} isReachable={isReachable} named={data.upstreams} />
        </li>
        <li className="flex @max-list:block">
          <Line tone={toUpstreams.tone} />
          <Node title={edge.name} fails={fails}>
            <EdgeState edge={edge} />
            <p className="num mt-1.5 flex items-baseline gap-1.5">
              <StatusMark tone={announcement.tone} />
              {announcement.label}
            </p>
            <p className="mt-1 text-dim">
              RPKI: <OriginValidation edge={edge} />
            </p>
            <p className="text-dim">
              Last load: <Time at={edge.appliedAt} none="never" />
            </p>
            <p className="text-dim">
              Last checked: <Time at={edge.observedAt} none="never" />
            </p>
          </Node>
        </li>
        <li className="flex min-w-0 flex-1 items-start @max-list:block">
          <Line tone={sessionTone(own.counts)} />
          <div className="min-w-0 flex-1">
            <p className="flex items-baseline gap-1.5 text-sm font-semibold">
              <StatusMark tone={sessionTone(own.counts)} />
              <span className="num">{sessionLabel(own.counts)}</span>
            </p>
            <Groups edge={own} down={data.down.filter((one) => one.edge.id === edge.id)} />
          </div>
        </li>
      </ol>
    </figure>
  )
}

/** The line to the part before, beside it or above it. */
const Line = ({ tone }: { tone: Tone }) => (
  <>
    <svg width={GAP} height={20} aria-hidden className={`shrink-0 @max-list:hidden ${COLOR[tone]}`}>
      <Stroke tone={tone} x2={GAP} y1={10} y2={10} />
    </svg>
    <svg width="100%" height={20} aria-hidden className={`@list:hidden ${COLOR[tone]}`}>
      <Stroke tone={tone} x1="50%" x2="50%" y2={20} />
    </svg>
  </>
)

/** The line of one session: beside the edge it crosses the gap up to it. */
const Branch = ({ tone, side }: { tone: Tone; side: 'left' | 'right' }) => (
  <>
    <svg
      width={20 + GAP}
      height={20}
      aria-hidden
      style={side === 'left' ? { marginLeft: -GAP } : { marginRight: -GAP }}
      className={`shrink-0 @max-list:hidden ${COLOR[tone]}`}
    >
      <Stroke tone={tone} x2={20 + GAP} y1={10} y2={10} />
    </svg>
    <svg width={20} height={20} aria-hidden className={`shrink-0 @max-list:order-first @list:hidden ${COLOR[tone]}`}>
      <Stroke tone={tone} x2={20} y1={10} y2={10} />
    </svg>
  </>
)

const Stroke = ({ tone, ...ends }: { tone: Tone; x1?: string; x2: number | string; y1?: number; y2: number }) => (
  <line
    {...ends}
    stroke="currentColor"
    strokeWidth={2}
    strokeDasharray={tone === 'ok' || tone === 'busy' ? undefined : '5 4'}
  />
)

const Node = ({ title, fails = false, children }: { title: string; fails?: boolean; children: ReactNode }) => (
  <div className={`rounded-sm border bg-sunken px-3 py-2 text-xs ${fails ? 'border-bad' : 'border-line'}`}>
    <h3 className="mb-1 text-sm font-semibold wrap-anywhere">{title}</h3>
    {children}
  </div>
)

interface UpstreamsProps {
  readonly edge: AdminEdge
  readonly isReachable: boolean
  readonly named: StaffTopology['upstreams']
}

/** Each upstream with its own line to the edge. */
function Upstreams({ edge, isReachable, named }: UpstreamsProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (edge.upstreams === null) return <p className="mt-1.5 text-sm text-dim">Not reported by the edge yet.</p>
  const sessions = worstUpstreamsFirst(edge.upstreams.sessions)
  const shown = isOpen ? sessions : sessions.slice(0, MOST_UPSTREAMS)
  const more = sessions.length - shown.length
  return (
    <>
      <ul className="mt-1.5">
        {shown.map((session) => (
          <li key={session.name} className="flex items-start gap-1.5 py-1 text-sm">
            <div className="min-w-0 flex-1">
              <UpstreamSession session={session} carrier={named.find(({ asn }) => asn === session.asn)?.name} />
            </div>
            <Branch tone={upstreamTone(session, isReachable)} side="right" />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <div className="mt-1.5">
          <Button onClick={() => setIsOpen(true)}>
            Show {more} more {more === 1 ? 'upstream session' : 'upstream sessions'}
          </Button>
        </div>
      )}
    </>
  )
}

const UpstreamSession = ({ session, carrier }: { session: Upstream; carrier: string | undefined }) => {
  const { name, asn, address, state, since, downSince, received, exported, lastError } = session
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
        <span className="font-medium">{name}</span>
        <span className="text-dim">
          {carrier} <span className="font-mono text-xs">{formatAsn(asn)}</span>
        </span>
      </p>
      <p className="font-mono text-xs wrap-anywhere text-dim">{address}</p>
      {downSince !== null ? (
        <p className="text-xs wrap-anywhere text-bad">
          Down for <Time at={downSince} as="since" />
          {lastError !== null && `: ${lastError}`}
        </p>
      ) : state === 'ESTABLISHED' ? (
        <p className="num text-xs text-dim">
          Up for <Time at={since} as="since" none="an unknown time" /> · {received.toLocaleString('en')} received ·{' '}
          {exported.toLocaleString('en')} announced
        </p>
      ) : (
        <p className="text-xs text-dim">Disabled on the edge</p>
      )}
    </>
  )
}

function Groups({ edge, down }: { edge: StaffTopology['edges'][number]; down: StaffTopology['down'] }) {
  const [isOpen, setIsOpen] = useState(false)
  const { groups, hidden } = edge
  const shown = isOpen ? groups : groups.slice(0, shownAtFirst(groups))
  const more = groups.length - shown.length
  return (
    <>
      <ul className="mt-1.5">
        {shown.map((group) => (
          <li key={group.hypervisor?.id ?? 0} className="flex items-start gap-1.5 py-1 text-sm">
            <Branch tone={sessionTone(group.counts)} side="left" />
            <div className="min-w-0 flex-1">
              <Group group={group} down={down.filter(({ hypervisor }) => hypervisor?.id === group.hypervisor?.id)} />
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <div className="mt-1.5">
          <Button onClick={() => setIsOpen(true)}>
            Show {more} more {more === 1 ? 'hypervisor' : 'hypervisors'}
          </Button>
        </div>
      )}
      {hidden > 0 && more === 0 && (
        <p className="mt-1.5 text-sm text-dim">
          {hidden} further {hidden === 1 ? 'hypervisor is' : 'hypervisors are'} not shown.{' '}
          <Link to="/admin/sessions" className="link">
            View all sessions
          </Link>
        </p>
      )}
    </>
  )
}

function Group({ group, down }: { group: TopologyGroup; down: StaffTopology['down'] }) {
  const { hypervisor, site, routers, counts } = group
  const more = counts.down - down.length
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        {hypervisor ? (
          <Link to="/admin/hypervisors/$id" params={{ id: hypervisor.id }} className="link font-medium">
            {hypervisor.name}
          </Link>
        ) : (
          <span className="font-medium">No router</span>
        )}
        <span className="text-dim">
          {site && `${site.name} · `}
          <span className="num">
            {routers} {routers === 1 ? 'router' : 'routers'}
          </span>
        </span>
        <span className={`num inline-flex items-baseline gap-1.5 ${counts.down > 0 ? 'font-medium text-bad' : ''}`}>
          <StatusMark tone={sessionTone(counts)} />
          {sessionLabel(counts)}
        </span>
      </p>
      {down.length > 0 && (
        <ul className="mt-1 text-xs">
          {down.map(({ customer, router, asn, family, downSince }) => (
            <li key={`${customer.id} ${family}`} className="py-1 text-bad">
              {router ? (
                <Link to="/admin/routers/$id" params={{ id: router.id }} className="link">
                  {router.name}
                </Link>
              ) : (
                (asn !== null && formatAsn(asn)) || customer.email
              )}{' '}
              IPv{family} down for <Time at={downSince} as="since" />
            </li>
          ))}
          {more > 0 && (
            <li className="py-1">
              <Link
                to="/admin/sessions"
                search={{ status: 'down', ...(hypervisor && { search: hypervisor.name }) }}
                className="link"
              >
                {more} more on {hypervisor?.name ?? 'no router'}
              </Link>
            </li>
          )}
        </ul>
      )}
    </>
  )
}

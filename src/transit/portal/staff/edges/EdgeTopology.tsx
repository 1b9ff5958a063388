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
import { announcementLink, sessionLabel, sessionTone, shownAtFirst, type TopologyGroup } from './topology-tones.ts'

const MOST_UPSTREAMS = 6
const LINE: Readonly<Record<Tone, string>> = {
  ok: 'border-ok',
  busy: 'border-accent',
  waiting: 'border-accent',
  warn: 'border-warn border-dashed',
  bad: 'border-bad border-dashed',
  off: 'border-faint border-dashed',
  unknown: 'border-faint border-dashed',
}

/** Upstreams, the edge, and the hypervisors with the routers behind it: beside each other, or below each other where there is little room. */
export function EdgeTopology({ edge }: { edge: AdminEdge }) {
  const { data } = useSuspenseQuery(topology())
  const heading = useId()
  const own = data.edges.find(({ id }) => id === edge.id)
  if (!own) return null
  const isReachable = edge.process?.alive === true && edge.errorKind !== 'unreachable'
  const announcement = announcementLink(own.prefixes, isReachable)
  const fails = !isReachable || edge.error !== null
  return (
    <figure aria-labelledby={heading} className="@container mb-4 rounded-md border border-line bg-surface p-3">
      <figcaption id={heading} className="sr-only">
        Topology of {edge.name}
      </figcaption>
      <ol className="grid @list:grid-cols-[minmax(0,11rem)_minmax(0,13rem)_minmax(0,1fr)] @list:gap-x-9">
        <li>
          <Node title="Upstreams">
            <Upstreams upstreams={data.upstreams} />
          </Node>
        </li>
        <li className="relative">
          <Line tone={announcement.tone} />
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
        <li className="relative min-w-0">
          <Line tone={sessionTone(own.counts)} />
          <p className="flex items-baseline gap-1.5 text-sm font-semibold">
            <StatusMark tone={sessionTone(own.counts)} />
            <span className="num">{sessionLabel(own.counts)}</span>
          </p>
          <Groups edge={own} down={data.down.filter((one) => one.edge.id === edge.id)} />
        </li>
      </ol>
    </figure>
  )
}

/** Between a part and the one before it. */
const Line = ({ tone }: { tone: Tone }) => (
  <span
    aria-hidden
    className={`mx-auto block h-5 w-0 border-l-2 @list:absolute @list:top-2.5 @list:-left-9 @list:mx-0 @list:h-0 @list:w-9 @list:border-t-2 @list:border-l-0 ${LINE[tone]}`}
  />
)

const Node = ({ title, fails = false, children }: { title: string; fails?: boolean; children: ReactNode }) => (
  <div className={`rounded-sm border bg-sunken px-3 py-2 text-xs ${fails ? 'border-bad' : 'border-line'}`}>
    <h3 className="mb-1 text-sm font-semibold wrap-anywhere">{title}</h3>
    {children}
  </div>
)

function Upstreams({ upstreams }: Pick<StaffTopology, 'upstreams'>) {
  const more = upstreams.length - MOST_UPSTREAMS
  return (
    <>
      {upstreams.length > 0 && (
        <ul>
          {upstreams.slice(0, MOST_UPSTREAMS).map(({ asn, name }) => (
            <li key={asn} className="wrap-anywhere">
              {name} <span className="font-mono text-faint">{formatAsn(asn)}</span>
            </li>
          ))}
          {more > 0 && <li className="text-dim">and {more} more</li>}
        </ul>
      )}
      <p className="mt-1 text-dim">
        {upstreams.length === 0 && 'None named in UPSTREAMS. '}
        The edge does not report these sessions.
      </p>
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
      <ul className="mt-1.5 ml-1 border-l-2 border-line">
        {shown.map((group) => (
          <li key={group.hypervisor?.id ?? 0} className="relative py-1 pl-5 text-sm">
            <span aria-hidden className={`absolute top-3.5 left-0 w-4 border-t-2 ${LINE[sessionTone(group.counts)]}`} />
            <Group group={group} down={down.filter(({ hypervisor }) => hypervisor?.id === group.hypervisor?.id)} />
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
      <p className="flex flex-wrap items-baseline gap-x-2 leading-6">
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
        <ul className="text-xs/6">
          {down.map(({ customer, router, asn, family, downSince }) => (
            <li key={`${customer.id} ${family}`} className="text-bad">
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
            <li>
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

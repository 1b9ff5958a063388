import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { Callout } from '../../../../ui/components/Callout.tsx'
import { TextAreaField } from '../../../../ui/components/Field.tsx'
import { StatusBadge, type Tone } from '../../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { rereadStaff, useAction } from '../../../../ui/staff/use-action.ts'
import type { AdminEdge, EdgeLoad } from '../../../contract.ts'
import { staffTransit } from '../api.ts'
import { LoadChanges } from './LoadChanges.tsx'

const PAGE = 5
const STATES: Readonly<Record<EdgeLoad['state'], readonly [Tone, string]>> = {
  WAITING: ['warn', 'Needs confirmation'],
  CONFIRMED: ['busy', 'Confirmed'],
  LOADING: ['busy', 'Loading'],
  LOADED: ['ok', 'Loaded'],
  FAILED: ['bad', 'Failed'],
  SUPERSEDED: ['off', 'Superseded'],
}

/** The changes of each load of an edge, and the button to revert. */
export function EdgeLoads({ edge }: { edge: AdminEdge }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['GET /api/admin/edges/{id}/loads', edge.id],
    queryFn: ({ pageParam, signal }) =>
      staffTransit.call['GET /api/admin/edges/{id}/loads'](
        { params: { id: edge.id }, query: { limit: PAGE, ...(pageParam !== null && { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    meta: { topics: ['edge'] },
  })
  const [asked, setAsked] = useState<{ what: 'confirm' | 'revert'; load: EdgeLoad } | null>(null)
  const loads = data?.pages.flatMap((page) => page.loads) ?? []
  const waiting = loads.find(({ state }) => state === 'WAITING')
  const current = loads.find(({ state }) => state === 'LOADED')
  return (
    <>
      {edge.reverted && <RevertNotice edge={edge} reverted={edge.reverted} />}
      {waiting && <WaitingNotice load={waiting} onConfirm={() => setAsked({ what: 'confirm', load: waiting })} />}
      <h3 className="mt-5 mb-2 text-sm font-semibold">Loads</h3>
      {loads.length === 0 ? (
        <p className="text-sm text-dim">{data ? 'Nothing was loaded yet.' : 'Reading …'}</p>
      ) : (
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {loads.map((load) => (
            <li key={load.id} className="px-3 py-2">
              <LoadRow
                load={load}
                isCurrent={load.id === current?.id}
                isReverted={load.id === edge.reverted?.load}
                onRevert={() => setAsked({ what: 'revert', load })}
              />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="mt-2">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Earlier loads
          </Button>
        </div>
      )}
      {asked && <LoadDialog edge={edge} {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function LoadRow({
  load,
  isCurrent,
  isReverted,
  onRevert,
}: {
  load: EdgeLoad
  isCurrent: boolean
  isReverted: boolean
  onRevert: () => void
}) {
  const blockedReason = useMissingRoleReason('network')
  const [tone, label] = STATES[load.state]
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <details className="group min-w-0 flex-1 basis-72 text-sm">
        <summary className="flex min-h-8 list-none items-baseline gap-2 py-1">
          <span aria-hidden className="text-faint transition-transform group-open:rotate-90">
            ›
          </span>
          <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
            <span className="num text-dim">Load {load.id}</span>
            <Time at={load.at} />
            <StatusBadge tone={tone}>{label}</StatusBadge>
            <span className="num">{countChanges(load)}</span>
            <span className="text-dim">{authorsOf(load)}</span>
          </span>
        </summary>
        <LoadChanges load={load} />
      </details>
      {load.state === 'LOADED' && !isCurrent && (
        <Button
          disabledReason={blockedReason ?? (isReverted ? 'The edge is reverted to this load.' : null)}
          onClick={onRevert}
        >
          Revert to load {load.id}
        </Button>
      )}
    </div>
  )
}

function countChanges({ counts }: EdgeLoad): string {
  const { prefixesAdded, prefixesRemoved, customersAdded, customersRemoved } = counts
  const parts = [
    [prefixesAdded, '+', 'prefix', 'prefixes'],
    [prefixesRemoved, '−', 'prefix', 'prefixes'],
    [customersAdded, '+', 'customer', 'customers'],
    [customersRemoved, '−', 'customer', 'customers'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, sign, one, many]) => `${sign}${count} ${count === 1 ? one : many}`)
  return parts.join(', ') || 'sessions or policy only'
}

const authorsOf = ({ causes }: EdgeLoad): string => {
  const actors = [...new Set(causes.map(({ actor }) => actor))]
  return actors.length === 0 ? 'no decision recorded' : `by ${actors.slice(0, 3).join(', ')}`
}

function WaitingNotice({ load, onConfirm }: { load: EdgeLoad; onConfirm: () => void }) {
  const blockedReason = useMissingRoleReason('network')
  return (
    <div className="mt-4">
      <Callout
        tone="bad"
        title="A load needs your confirmation"
        action={
          <Button variant="danger" disabledReason={blockedReason} onClick={onConfirm}>
            Confirm load
          </Button>
        }
      >
        <p>{load.detail}</p>
        <p className="mt-1 text-dim">
          The edge keeps its configuration, and all other changes to it wait. If this is a mistake, correct the prefixes
          or customers: the load is then dropped automatically.
        </p>
        <LoadChanges load={load} />
      </Callout>
    </div>
  )
}

function RevertNotice({ edge, reverted }: { edge: AdminEdge; reverted: NonNullable<AdminEdge['reverted']> }) {
  const blockedReason = useMissingRoleReason('network')
  const { busy, runAction } = useAction()
  const end = () =>
    runAction(
      edge.id,
      () => staffTransit.call['DELETE /api/admin/edges/{id}/revert']({ params: { id: edge.id } }),
      `Revert of ${edge.name} ended`,
      'The edge loads all approved prefixes.',
    )
  return (
    <div className="mt-4">
      <Callout
        tone="warn"
        title={`Reverted to load ${reverted.load}: new approvals wait`}
        action={
          <Button busy={busy === edge.id} disabledReason={blockedReason} onClick={end}>
            End revert
          </Button>
        }
      >
        <p>
          {reverted.reason}
          <span className="text-dim">
            {' '}
            · {reverted.by ?? 'deleted user'}, <Time at={reverted.at} />
          </span>
        </p>
        <p className="text-dim">
          {reverted.prefixes} prefixes of that load.
          {reverted.missing > 0 && ` ${reverted.missing} were rejected or withdrawn since and stay away.`}
        </p>
      </Callout>
    </div>
  )
}

function LoadDialog({
  edge,
  load,
  what,
  onClose,
}: {
  edge: AdminEdge
  load: EdgeLoad
  what: 'confirm' | 'revert'
  onClose: () => void
}) {
  const confirms = what === 'confirm'
  return (
    <FormDialog
      title={confirms ? `Confirm the load of ${edge.name}` : `Revert ${edge.name} to load ${load.id}`}
      action={confirms ? 'Confirm load' : 'Revert edge'}
      danger
      onClose={onClose}
      onSubmit={async (values, submission) => {
        const input = { params: { id: edge.id, load: load.id }, body: { reason: values.text('reason') } }
        await staffTransit.call[`POST /api/admin/edges/{id}/loads/{load}/${what}`](input, submission)
        await rereadStaff()
      }}
    >
      {confirms ? (
        <p className="text-sm">{load.detail} The routes are withdrawn at once.</p>
      ) : (
        <ul className="grid list-disc gap-1 pl-5 text-sm">
          <li>The edge announces the prefixes of that load again, except those that were rejected or withdrawn.</li>
          <li>New approvals wait until you end the revert. Suspending a prefix still works.</li>
          <li>Sessions, addresses and ASNs stay as they are now.</li>
        </ul>
      )}
      <TextAreaField label="Reason" name="reason" rows={2} maxLength={500} required hint="Visible to other staff." />
    </FormDialog>
  )
}

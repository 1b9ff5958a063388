import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/components/Button.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { FILTER_BADGE } from '../../ui/components/filter-variants.ts'
import { Section } from '../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../ui/components/Skeleton.tsx'
import { FILTER_FROM, filterRows } from '../../ui/components/table-rows.ts'
import { TableFilter } from '../../ui/components/TableFilter.tsx'
import { useRowKeys } from '../../ui/components/use-row-keys.ts'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import { PrefixList } from './PrefixList.tsx'
import { isDown } from './prefix-stages.tsx'
import { PrefixTree } from './PrefixTree.tsx'
import { RequestPrefix } from './RequestPrefix.tsx'
import { isShown, searchText, StatusFilter, type Shown } from './StatusFilter.tsx'

const PrefixTable = lazy(() => import('./PrefixTable.tsx'))

const VIEWS = { list: 'List', table: 'Table', tree: 'Tree' } as const
type View = keyof typeof VIEWS

export function PrefixSection({
  connection,
  prefixes,
}: {
  connection: TransitConnection
  prefixes: readonly TransitPrefix[]
}) {
  const pointed = useLocation({ select: ({ hash }) => Number(/^prefix-(\d+)$/.exec(hash)?.[1]) })
  const [past, setPast] = useState(false)
  const [view, setView] = useState<View>('list')
  const [requested, setRequested] = useState<number | null>(null)
  const current = prefixes.filter((prefix) => prefix.status !== 'WITHDRAWN' || prefix.id === pointed)
  const withdrawn = prefixes.length - current.length
  // The prefix with a problem when the page loaded. Once it is fixed, the next problem does not open automatically.
  const [problem] = useState(() => prefixes.find(hasProblem)?.id ?? null)
  const firstOpen = requested ?? (pointed || problem)
  const shown = past ? prefixes : current
  const [filter, setFilter] = useState('')
  const [status, setStatus] = useState<Shown | null>(null)
  const wanted = useDeferredValue(filter)
  const box = useRef<HTMLDivElement>(null)
  const onKeyDown = useRowKeys(box, wanted === filter)
  const isLong = shown.length >= FILTER_FROM
  const found = isLong ? filterRows(shown, searchText, wanted) : shown
  const matching = isLong && status !== null ? found.filter((prefix) => isShown(prefix, status)) : found
  const statuses = isLong ? <StatusFilter prefixes={shown} status={status} onChange={setStatus} /> : undefined
  const above = statuses && <div className="mb-2.5 flex items-center">{statuses}</div>
  const openInList = ({ id }: TransitPrefix) => {
    flushSync(() => {
      setView('list')
      setRequested(id)
    })
    document.querySelector<HTMLElement>(`#prefix-${id} summary`)?.focus()
  }
  return (
    <Section
      title="Prefixes"
      summary="Progress from request to export, with any action needed."
      actions={
        <>
          {(withdrawn > 0 || past) && (
            <Button size="sm" variant="quiet" aria-pressed={past} onClick={() => setPast(!past)}>
              {past ? 'Hide withdrawn' : `Show ${withdrawn} withdrawn`}
            </Button>
          )}
          {shown.length > 0 && view !== 'table' && (
            <Button
              size="sm"
              variant="quiet"
              icon="download"
              changes={false}
              aria-label="Export list as CSV"
              onClick={() => void import('./PrefixTable.tsx').then(({ savePrefixes }) => savePrefixes(matching))}
            >
              CSV
            </Button>
          )}
          {current.length > 0 && (
            <Button size="sm" icon="plus" onClick={() => document.getElementsByName('value')[0]?.focus()}>
              Add prefix
            </Button>
          )}
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        {shown.length > 0 && (
          // The filter and the prefixes inside receive the keys.
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
          <div ref={box} onKeyDown={onKeyDown}>
            {(isLong || shown.length > 1) && (
              <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
                <ViewChoice view={view} onChange={setView} />
                {/* Its name must not contain that of the field Prefix. */}
                {isLong && <TableFilter label="Filter list" value={filter} onChange={setFilter} />}
              </div>
            )}
            {matching.length === 0 ? (
              <>
                {above}
                <p className="rounded-md border border-line bg-surface px-3 py-6 text-center text-dim">
                  {filter ? `Nothing matches “${filter}”.` : 'No prefixes with this status.'}
                </p>
              </>
            ) : view === 'table' ? (
              <Suspense
                fallback={
                  <>
                    {above}
                    <TableSkeleton />
                  </>
                }
              >
                <PrefixTable prefixes={matching} tools={statuses} />
              </Suspense>
            ) : (
              <>
                {above}
                {view === 'tree' ? (
                  <PrefixTree prefixes={matching} onOpen={openInList} />
                ) : (
                  <PrefixList prefixes={matching} firstOpen={firstOpen} />
                )}
              </>
            )}
          </div>
        )}
        <RequestPrefix connection={connection} onRequested={(prefix) => setRequested(prefix.id)} />
        {current.length === 0 && !past && (
          <EmptyState icon="prefix" title="No prefixes yet">
            A prefix is announced once its ROA and route object are valid, our staff have approved it and your router
            announces it. Enter one above to see what is missing before you request it.
          </EmptyState>
        )}
      </div>
    </Section>
  )
}

const ViewChoice = ({ view, onChange }: { view: View; onChange: (view: View) => void }) => (
  <fieldset aria-label="View" className="inline-flex gap-1">
    {(['list', 'table', 'tree'] as const).map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={view === one}
        onClick={() => onChange(one)}
        className={FILTER_BADGE}
      >
        {VIEWS[one]}
      </button>
    ))}
  </fieldset>
)

const hasProblem = (prefix: TransitPrefix): boolean =>
  prefix.status === 'NEEDS_ACTION' || prefix.attention !== null || isDown(prefix)

import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/components/Button.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { FILTER_BADGE } from '../../ui/components/filter-variants.ts'
import { Section } from '../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../ui/components/Skeleton.tsx'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import { PrefixList } from './PrefixList.tsx'
import { isDown } from './prefix-stages.tsx'
import { PrefixTree } from './PrefixTree.tsx'
import { RequestPrefix } from './RequestPrefix.tsx'

const PrefixTable = lazy(() => import('./PrefixTable.tsx'))

export function PrefixSection({
  connection,
  prefixes,
}: {
  connection: TransitConnection
  prefixes: readonly TransitPrefix[]
}) {
  const pointed = useLocation({ select: ({ hash }) => Number(/^prefix-(\d+)$/.exec(hash)?.[1]) })
  const [past, setPast] = useState(false)
  const [view, setView] = useState<'list' | 'table' | 'tree'>('list')
  const [requested, setRequested] = useState<number | null>(null)
  const current = prefixes.filter((prefix) => prefix.status !== 'WITHDRAWN' || prefix.id === pointed)
  const withdrawn = prefixes.length - current.length
  // The prefix with a problem when the page loaded. Once it is fixed, the next problem does not open automatically.
  const [problem] = useState(() => prefixes.find(hasProblem)?.id ?? null)
  const firstOpen = requested ?? (pointed || problem)
  const shown = past ? prefixes : current
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
          {current.length > 1 &&
            (['table', 'tree'] as const).map((other) => (
              <button
                key={other}
                type="button"
                aria-pressed={view === other}
                onClick={() => setView(view === other ? 'list' : other)}
                className={FILTER_BADGE}
              >
                {other === 'table' ? 'Table' : 'Tree'}
              </button>
            ))}
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
              onClick={() => void import('./PrefixTable.tsx').then(({ savePrefixes }) => savePrefixes(shown))}
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
        {shown.length > 0 &&
          (view === 'tree' ? (
            <PrefixTree prefixes={shown} onOpen={openInList} />
          ) : view === 'table' ? (
            <Suspense fallback={<TableSkeleton />}>
              <PrefixTable prefixes={shown} />
            </Suspense>
          ) : (
            <PrefixList prefixes={shown} firstOpen={firstOpen} />
          ))}
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

const hasProblem = (prefix: TransitPrefix): boolean =>
  prefix.status === 'NEEDS_ACTION' || prefix.attention !== null || isDown(prefix)

import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { apiFetch } from '../runtime/client.ts'
import { queryClient } from '../live/query-client.ts'
import { Wordmark } from '../shell/Wordmark.tsx'
import { Button } from '../components/Button.tsx'
import { Checkbox } from '../components/choices.tsx'
import { EmptyState, ErrorState } from '../components/EmptyState.tsx'
import { Panel } from '../components/PageHeader.tsx'
import { TableSkeleton } from '../components/Skeleton.tsx'
import { TableFilter } from '../components/TableFilter.tsx'
import { EndpointItem } from './EndpointItem.tsx'
import { groupEndpoints, searchEndpoints, type EndpointGroup, type OpenApi } from './openapi-document.ts'

const DOCUMENT = '/api/openapi.json'

/** It is open to signed-out visitors and the only such page that queries, so it brings its own query client. */
export const ApiReferencePage = () => (
  <QueryClientProvider client={queryClient}>
    <Reference />
  </QueryClientProvider>
)

function Reference() {
  const document = useQuery({
    queryKey: ['api reference'],
    queryFn: async ({ signal }): Promise<OpenApi> => {
      const response = await apiFetch(DOCUMENT, { signal })
      if (!response.ok) throw new Error(`The document was answered ${response.status}`)
      return (await response.json()) as OpenApi
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div className="min-h-dvh">
      <header className="flex h-14 items-center justify-between border-b border-line px-4 md:px-6">
        <Link to="/" className="rounded-md">
          <Wordmark />
        </Link>
        <a href={DOCUMENT} className="link text-sm">
          OpenAPI document
        </a>
      </header>
      <main className="mx-auto max-w-6xl px-4 py-6 md:px-6">
        <h1 className="text-xl font-semibold tracking-[-0.011em]">API Reference</h1>
        <p className="mt-0.5 mb-4 max-w-[75ch] text-base text-dim">
          The portal uses this API itself. Authenticate with{' '}
          <code className="font-mono text-xs">Authorization: Bearer …</code>; create a token under{' '}
          <Link to="/settings" search={{ tab: 'access' }} className="link">
            Settings, Keys and tokens
          </Link>
          . Errors are problem details (RFC 9457).
        </p>
        {document.isPending && <TableSkeleton rows={12} />}
        {document.isError && (
          <ErrorState retry={<Button onClick={() => void document.refetch()}>Try again</Button>}>
            The API itself is not affected.
          </ErrorState>
        )}
        {document.data && <EndpointList document={document.data} />}
      </main>
    </div>
  )
}

function EndpointList({ document }: { document: OpenApi }) {
  const groups = useMemo(() => groupEndpoints(document), [document])
  const [linked] = useState(() => decodeURIComponent(location.hash.slice(1)))
  const [typed, setTyped] = useState('')
  const [staff, setStaff] = useState(() => isRead(groups, 'staff', linked))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(linked ? [linked] : []))
  const shown = searchEndpoints(
    groups.filter(({ id }) => staff || id !== 'staff'),
    typed,
  )
  const toggle = (id: string) => {
    const opens = !open.has(id)
    const next = new Set(open)
    if (opens) next.add(id)
    else next.delete(id)
    setOpen(next)
    // Makes what is open shareable, without a new history entry.
    if (opens) history.replaceState(history.state, '', `#${id}`)
  }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-5 gap-y-2">
        <TableFilter label="Filter endpoints" value={typed} onChange={setTyped} />
        <Checkbox label="Staff endpoints" checked={staff} onChange={(event) => setStaff(event.target.checked)} />
        <nav aria-label="Groups" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          {shown.map(({ id, title }) => (
            <a key={id} href={`#group-${id}`} className="link flex h-7 items-center">
              {title}
            </a>
          ))}
        </nav>
      </div>
      {shown.length === 0 && (
        <EmptyState icon="search" title="No matching endpoints">
          Nothing matches “{typed}”.
        </EmptyState>
      )}
      {shown.map(({ id, title, endpoints }) => (
        <section key={id} aria-labelledby={`group-${id}`} className="mt-6 first-of-type:mt-0">
          <h2 id={`group-${id}`} className="mb-2 scroll-mt-4 text-lg font-semibold">
            {title} <span className="num text-sm font-normal text-faint">{endpoints.length}</span>
          </h2>
          <Panel className="overflow-hidden">
            <ul className="divide-y divide-line">
              {endpoints.map((endpoint) => (
                <EndpointItem
                  key={endpoint.operationId}
                  endpoint={endpoint}
                  open={open.has(endpoint.operationId)}
                  onToggle={() => toggle(endpoint.operationId)}
                />
              ))}
            </ul>
          </Panel>
        </section>
      ))}
    </>
  )
}

const isRead = (groups: readonly EndpointGroup[], group: string, operationId: string): boolean =>
  groups.some(({ id, endpoints }) => id === group && endpoints.some((endpoint) => endpoint.operationId === operationId))

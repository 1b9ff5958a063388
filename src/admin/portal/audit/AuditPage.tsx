import { getRouteApi } from '@tanstack/react-router'
import { DownloadLink } from '../../../ui/components/DownloadLink.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { targetOf } from '../../../ui/runtime/client.ts'
import { useSearch } from '../../../ui/staff/use-search.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { auditQuery, auditSearch } from '../../../ui/staff/audit-search.ts'
import { AuditTable } from './AuditTable.tsx'
import { ChainState } from './ChainState.tsx'

const route = getRouteApi('/_signed-in/admin/audit')

/** Shows who did what to which object, from where, and whether the audit log is intact. */
export function AuditPage() {
  const narrowed = auditSearch({ ...route.useSearch() })
  const { search, setSearch, typed, round, isAsked } = useSearch()
  const query = auditQuery(narrowed, search)
  return (
    <>
      <PageHeader
        title="Audit log"
        summary="Actions by customers, staff and the system. Append-only."
        actions={
          <>
            {(['csv', 'json'] as const).map((format) => (
              <DownloadLink key={format} size="md" href={targetOf(`/api/admin/audit_events.${format}`, { query })}>
                {format === 'csv' ? 'CSV' : 'JSON'}
              </DownloadLink>
            ))}
          </>
        }
      />
      <ChainState />
      <AuditFilters narrowed={narrowed} />
      <AuditTable
        key={`${JSON.stringify(narrowed)} ${round}`}
        query={query}
        onSearch={setSearch}
        typed={typed}
        isAsked={isAsked}
        narrowed={Object.keys(narrowed).length > 0}
      />
    </>
  )
}

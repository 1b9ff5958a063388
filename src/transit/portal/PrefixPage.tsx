import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Crumbs } from '../../ui/components/Crumbs.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { ownPrefix } from './api.ts'
import { PrefixDetail } from './PrefixDetail.tsx'
import { prefixBadge, prefixStages } from './prefix-stages.tsx'

const LoaSection = lazy(() => import('./loas/LoaSection.tsx'))

const route = getRouteApi('/_signed-in/_verified/transit_/prefixes/$id')

/** One prefix on its own page, which emails and the command palette link to. */
export function PrefixPage() {
  const { id } = route.useParams()
  const { data: prefix } = useSuspenseQuery(ownPrefix(id))
  const { tone, label } = prefixBadge(prefix)
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/transit">IP Transit</Link>
          </Crumbs>
        }
        title={<span className="num font-mono">{prefix.value}</span>}
        status={<StatusBadge tone={tone}>{label}</StatusBadge>}
        summary={
          prefix.decidedAt && prefix.statusReason ? (
            <>
              Decided <Time at={prefix.decidedAt} />: {prefix.statusReason}
            </>
          ) : (
            prefix.statusReason
          )
        }
      />
      <div className="-mx-3">
        <PrefixDetail prefix={prefix} stages={prefixStages(prefix, 'owner')} />
      </div>
      <Suspense>
        <LoaSection prefix={prefix} />
      </Suspense>
    </>
  )
}

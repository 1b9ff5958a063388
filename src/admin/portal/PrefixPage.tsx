import { useSuspenseQuery as useGraphql } from '@apollo/client/react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Callout } from '../../portal/ui/Callout.tsx'
import { PageHeader, Section } from '../../portal/ui/PageHeader.tsx'
import { StageList } from '../../portal/ui/StageList.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import { TrailLink } from './audit/TrailLink.tsx'
import { prefixWithOwner } from './api.ts'
import { Crumbs } from '../../portal/ui/Crumbs.tsx'
import { PrefixDetail } from './documents/prefixes.ts'
import { LookBadge } from './LookBadge.tsx'
import { prefixStages } from '../../transit/portal/prefix-stages.tsx'
import { PrefixActions } from './PrefixActions.tsx'
import { EdgeBadge, EdgeLag } from './PrefixEdge.tsx'
import { PrefixFacts } from './PrefixFacts.tsx'
import { PrefixSiblings } from './PrefixSiblings.tsx'
import { STATUS_LOOK } from '../../transit/portal/prefix-words.ts'

const route = getRouteApi('/_signed-in/admin/prefixes/$id')

export function PrefixPage() {
  const { id } = route.useParams()
  const { data: prefix } = useSuspenseQuery(prefixWithOwner(id))
  const { transitPrefix } = useGraphql(PrefixDetail, { variables: { id } }).data
  const siblings = (transitPrefix?.ipTransit.prefixes ?? []).filter((one) => one.databaseId !== id)
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/prefixes/">Prefixes</Link>
          </Crumbs>
        }
        title={<span className="num font-mono">{prefix.value}</span>}
        status={
          <>
            <LookBadge look={STATUS_LOOK[prefix.status]} />
            <EdgeBadge prefix={prefix} />
          </>
        }
        summary={
          prefix.decidedBy && (
            <>
              Decided by {prefix.decidedBy.email} <Time at={prefix.decidedAt} />
              {prefix.statusReason && `: ${prefix.statusReason}`}
            </>
          )
        }
        actions={
          <>
            <TrailLink search={{ subjectType: 'prefix', subjectId: prefix.id }} />
            <PrefixActions prefix={prefix} />
          </>
        }
      />
      <div className="grid gap-3 not-empty:mb-5">
        {prefix.attention && (
          <Callout tone="warn" title="RPKI or IRR no longer supports this prefix">
            {prefix.attention}
          </Callout>
        )}
        <EdgeLag prefix={prefix} />
      </div>
      <StageList label={`Progress of ${prefix.value}`} stages={prefixStages(prefix, 'staff')} />
      <Section title="Details">
        <PrefixFacts prefix={prefix} router={transitPrefix?.ipTransit.transitableRouter ?? null} />
      </Section>
      {siblings.length > 0 && (
        <Section title="Other prefixes of this user">
          <PrefixSiblings prefixes={siblings} />
        </Section>
      )}
    </>
  )
}

import { useSuspenseQuery as useGraphql } from '@apollo/client/react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Callout } from '../../../ui/components/Callout.tsx'
import { PageHeader, Section } from '../../../ui/components/PageHeader.tsx'
import { StageList } from '../../../ui/components/StageList.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { AuditLogLink } from '../../../ui/staff/AuditLogLink.tsx'
import type { AdminTransitPrefix } from '../../contract.ts'
import { loasOfPrefix, prefixWithOwner } from './api.ts'
import { Crumbs } from '../../../ui/components/Crumbs.tsx'
import { PrefixDetail } from './prefix-documents.ts'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import { LoaTable } from '../loas/LoaTable.tsx'
import { prefixBadge, prefixStages } from '../prefix-stages.tsx'
import { DecisionQueue } from './DecisionQueue.tsx'
import { HeldDecision } from './HeldDecision.tsx'
import { PrefixActions } from './PrefixActions.tsx'
import { ContactLinks } from './ContactLinks.tsx'
import { EdgeBadge, EdgeLag } from './PrefixEdge.tsx'
import { EvidenceList } from './EvidenceList.tsx'
import { PrefixDetails } from './PrefixDetails.tsx'
import { Registration } from './Registration.tsx'
import { PrefixSiblings } from './PrefixSiblings.tsx'
import { ReverseDnsRecords } from '../ReverseDnsRecords.tsx'

const route = getRouteApi('/_signed-in/admin/prefixes/$id')

export function PrefixPage() {
  const { id } = route.useParams()
  const queue = route.useSearch().queue === 'pending'
  const { data: prefix } = useSuspenseQuery(prefixWithOwner(id))
  const { data: loas } = useSuspenseQuery(loasOfPrefix(id))
  const { transitPrefix } = useGraphql(PrefixDetail, { variables: { id } }).data
  const siblings = (transitPrefix?.ipTransit.prefixes ?? []).filter((one) => one.databaseId !== id)
  return (
    <>
      {queue && <DecisionQueue id={id} />}
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/prefixes/">Prefixes</Link>
          </Crumbs>
        }
        title={<span className="num font-mono">{prefix.value}</span>}
        status={
          <>
            <ToneBadge badge={prefixBadge(prefix)} />
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
            <AuditLogLink search={{ subjectType: 'prefix', subjectId: prefix.id }} />
            <PrefixActions key={id} prefix={prefix} queue={queue} />
          </>
        }
      />
      <div className="grid gap-3 not-empty:mb-5">
        {prefix.attention && (
          <Callout tone="warn" title="What this prefix was approved for is missing">
            {prefix.attention}
          </Callout>
        )}
        <HeldDecision prefix={prefix} />
        <EdgeLag prefix={prefix} />
      </div>
      <StageList label={`Progress of ${prefix.value}`} stages={prefixStages(prefix, 'staff')} />
      <Section title="Evidence">
        <EvidenceList prefix={prefix} />
      </Section>
      <Section title="Registration" summary="As recorded by the address registry.">
        <Registration prefix={prefix} />
      </Section>
      <Section
        title="Registry contacts"
        summary="Confirmation links emailed to contacts of the block or the downstream."
      >
        <ContactLinks prefix={prefix} />
      </Section>
      <Section title="Letters of authorization" summary="Signed by the customer for upstreams and exchanges.">
        <LoaTable
          loas={loas}
          files={`/api/admin/transit_prefixes/${id}/loas`}
          empty="The customer can sign one on the page of the prefix."
        />
      </Section>
      {prefix.reverseDns && (
        <Section title="Reverse DNS" summary={resolverText(prefix.dnsResolver)}>
          <ReverseDnsRecords reverseDns={prefix.reverseDns} />
        </Section>
      )}
      <Section title="Details">
        <PrefixDetails prefix={prefix} router={transitPrefix?.ipTransit.transitableRouter ?? null} />
      </Section>
      {siblings.length > 0 && (
        <Section title="Other prefixes of this user">
          <PrefixSiblings prefixes={siblings} />
        </Section>
      )}
    </>
  )
}

const resolverText = ({ kind, server }: AdminTransitPrefix['dnsResolver']): string =>
  kind === 'simulated'
    ? `Simulated: answers come from ${server}, and no DNS server is asked.`
    : `TXT records with the token of this request. Resolver: ${server}.`

import { getRouteApi, Link } from '@tanstack/react-router'
import { useSuspenseQuery } from '@tanstack/react-query'
import { IdentityGate } from '../../accounts/portal/proof/IdentityGate.tsx'
import { PUBLIC_EVENT_TYPES } from '../../kernel/public-events.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { PageHeader, Section } from '../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { RETENTION_DAYS } from '../states.ts'
import { webhooks } from './api.ts'
import { Deliveries } from './Deliveries.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { endpointBadge } from './webhook-labels.ts'

const route = getRouteApi('/_signed-in/settings_/webhooks/$id')

export function WebhookPage() {
  const { id } = route.useParams()
  const { data: endpoint } = useSuspenseQuery(webhooks.query['GET /api/webhooks/{id}']({ params: { id } }))
  const { tone, label } = endpointBadge(endpoint)
  return (
    <IdentityGate>
      <PageHeader
        above={
          <nav aria-label="Breadcrumb">
            <Link to="/settings" search={{ tab: 'webhooks' }} className="link">
              Webhooks
            </Link>
          </nav>
        }
        title={new URL(endpoint.url).host}
        status={<StatusBadge tone={tone}>{label}</StatusBadge>}
        summary={endpoint.description || undefined}
        actions={<WebhookActions endpoint={endpoint} />}
      />
      {endpoint.disabledReason && (
        <div className="mb-4">
          <Callout tone="bad" title="Deliveries are switched off">
            {endpoint.disabledReason} Fix the endpoint, then switch it on. Pending messages are sent immediately.
          </Callout>
        </div>
      )}
      <PropertyTable
        items={[
          { label: 'Address', value: <span className="font-mono text-sm">{endpoint.url}</span>, wide: true },
          {
            label: 'Events',
            value:
              endpoint.events.length === PUBLIC_EVENT_TYPES.length ? (
                'everything'
              ) : (
                <span className="font-mono text-xs">{endpoint.events.join(', ')}</span>
              ),
            wide: true,
          },
          { label: 'Last delivered', value: <Time at={endpoint.lastSuccessAt} none="never" /> },
          { label: 'Added', value: <Time at={endpoint.createdAt} /> },
          ...(endpoint.previousSecretUntil
            ? [
                {
                  label: 'Old secret',
                  value: (
                    <>
                      valid until <Time at={endpoint.previousSecretUntil} />
                    </>
                  ),
                  wide: true,
                },
              ]
            : []),
        ]}
      />
      <Section title="Deliveries" summary={`The last ${RETENTION_DAYS} days, with your server’s responses.`}>
        <Deliveries endpointId={id} enabled={endpoint.enabled} />
      </Section>
    </IdentityGate>
  )
}

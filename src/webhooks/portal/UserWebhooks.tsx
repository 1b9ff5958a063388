import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../ui/components/DataTable.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../ui/components/Skeleton.tsx'
import { DELIVERY_TOPICS, webhooks } from './api.ts'
import { STAFF_DELIVERY_COLUMNS } from './delivery-columns.tsx'
import { STAFF_ENDPOINT_COLUMNS } from './endpoint-columns.tsx'

/** For staff: a customer's endpoints and their deliveries. Message contents are visible only to the customer. */
export function UserWebhooks({ userId }: { userId: number }) {
  const params = { id: userId }
  const endpoints = useQuery(webhooks.query['GET /api/admin/users/{id}/webhooks']({ params }))
  const sent = useQuery({
    ...webhooks.query['GET /api/admin/users/{id}/webhook_deliveries']({ params, query: { limit: 20 } }),
    meta: { topics: DELIVERY_TOPICS },
  })
  return (
    <Section title="Webhooks">
      {endpoints.data ? (
        <DataTable
          label="Webhooks"
          columns={STAFF_ENDPOINT_COLUMNS}
          rows={endpoints.data}
          rowKey={(endpoint) => endpoint.id}
          empty={
            <EmptyState icon="external" title="No webhooks">
              This user has no webhook endpoints.
            </EmptyState>
          }
        />
      ) : (
        <TableSkeleton rows={1} />
      )}
      {sent.data && sent.data.deliveries.length > 0 && (
        <div className="mt-4">
          <DataTable
            label="Latest deliveries"
            columns={STAFF_DELIVERY_COLUMNS}
            rows={sent.data.deliveries}
            rowKey={(delivery) => delivery.id}
          />
        </div>
      )}
    </Section>
  )
}

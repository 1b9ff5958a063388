import { Link } from '@tanstack/react-router'
import { PUBLIC_EVENT_TYPES } from '../../kernel/public-events.ts'
import type { Column } from '../../ui/components/DataTable.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { WebhookEndpoint } from '../contract.ts'
import { endpointBadge } from './webhook-labels.ts'

const DETAIL_COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    id: 'state',
    header: 'State',
    cell: (endpoint) => {
      const { tone, label } = endpointBadge(endpoint)
      return <StatusBadge tone={tone}>{label}</StatusBadge>
    },
  },
  {
    id: 'events',
    header: 'Events',
    cell: ({ events }) => (
      <span className="text-sm" title={events.join(', ')}>
        {events.length === PUBLIC_EVENT_TYPES.length
          ? 'everything'
          : `${events.length} ${events.length === 1 ? 'event' : 'events'}`}
      </span>
    ),
  },
  { id: 'success', header: 'Last delivered', cell: ({ lastSuccessAt }) => <Time at={lastSuccessAt} none="never" /> },
]

const about = ({ description }: WebhookEndpoint) =>
  description && <span className="block text-sm text-dim">{description}</span>

export const ENDPOINT_COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    id: 'url',
    header: 'Address',
    cell: (endpoint) => (
      <span className="block min-w-0">
        <Link
          to="/settings/webhooks/$id"
          params={{ id: endpoint.id }}
          className="row-link font-mono text-sm font-medium wrap-anywhere"
        >
          {endpoint.url}
        </Link>
        {about(endpoint)}
      </span>
    ),
  },
  ...DETAIL_COLUMNS,
]

/** For staff, who see that the endpoint exists and how its deliveries go. */
export const STAFF_ENDPOINT_COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    id: 'url',
    header: 'Address',
    cell: (endpoint) => (
      <span className="block min-w-0">
        <span className="font-mono text-sm wrap-anywhere">{endpoint.url}</span>
        {about(endpoint)}
      </span>
    ),
  },
  ...DETAIL_COLUMNS,
]

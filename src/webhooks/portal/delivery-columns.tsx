import { EmptyValue } from '../../ui/components/EmptyValue.tsx'
import type { Column } from '../../ui/components/DataTable.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { WebhookDelivery } from '../contract.ts'
import { deliveryBadge } from './webhook-labels.ts'

const DETAIL_COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    id: 'state',
    header: 'State',
    cell: (delivery) => {
      const { tone, label } = deliveryBadge(delivery)
      return <StatusBadge tone={tone}>{label}</StatusBadge>
    },
  },
  {
    id: 'answer',
    header: 'Response',
    cell: ({ lastStatus, lastError, lastDurationMs, attempts }) => (
      <span className="text-sm wrap-anywhere">
        {lastError ?? lastStatus ?? <EmptyValue />}
        {lastDurationMs !== null && (
          <span className="num ml-1.5 text-xs text-faint">
            {lastDurationMs} ms{attempts > 1 && `, attempt ${attempts}`}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'next',
    header: 'Next try',
    cell: ({ nextAttemptAt, attempts }) => <Time at={attempts > 0 ? nextAttemptAt : null} />,
    wideOnly: true,
  },
  { id: 'when', header: 'Event time', align: 'right', cell: ({ occurredAt }) => <Time at={occurredAt} /> },
]

export const deliveryColumns = (onOpen: (delivery: WebhookDelivery) => void): readonly Column<WebhookDelivery>[] => [
  {
    id: 'type',
    header: 'Event',
    cell: (delivery) => (
      <button type="button" className="row-link font-mono text-sm font-medium" onClick={() => onOpen(delivery)}>
        {delivery.type}
      </button>
    ),
  },
  ...DETAIL_COLUMNS,
]

export const STAFF_DELIVERY_COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: 'type', header: 'Event', cell: ({ type }) => <span className="font-mono text-sm">{type}</span> },
  ...DETAIL_COLUMNS,
]

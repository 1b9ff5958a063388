import { Absent } from '../../portal/ui/Absent.tsx'
import type { Column } from '../../portal/ui/DataTable.tsx'
import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { WebhookDelivery } from '../contract.ts'
import { lookOfDelivery } from './webhook-words.ts'

const FACTS: readonly Column<WebhookDelivery>[] = [
  {
    id: 'state',
    header: 'State',
    cell: (delivery) => {
      const { tone, word } = lookOfDelivery(delivery)
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
  {
    id: 'answer',
    header: 'Response',
    cell: ({ lastStatus, lastError, lastDurationMs, attempts }) => (
      <span className="text-sm wrap-anywhere">
        {lastError ?? lastStatus ?? <Absent />}
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
  ...FACTS,
]

export const STAFF_DELIVERY_COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: 'type', header: 'Event', cell: ({ type }) => <span className="font-mono text-sm">{type}</span> },
  ...FACTS,
]

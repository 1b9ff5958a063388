import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { CodeBlock } from '../../ui/components/CodeBlock.tsx'
import { Copyable } from '../../ui/components/Copyable.tsx'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { PropertyTable } from '../../ui/components/PropertyTable.tsx'
import { TableSkeleton } from '../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { WebhookAttempt, WebhookDeliveryDetail } from '../contract.ts'
import { webhooks } from './api.ts'
import { deliveryBadge } from './webhook-labels.ts'

export function DeliveryDialog(props: {
  endpointId: number
  deliveryId: number
  enabled: boolean
  onClose: () => void
}) {
  const { endpointId, deliveryId, enabled, onClose } = props
  const params = { id: endpointId, deliveryId }
  const { data, refetch } = useQuery(webhooks.query['GET /api/webhooks/{id}/deliveries/{deliveryId}']({ params }))
  const [busy, setBusy] = useState(false)
  const replay = async () => {
    setBusy(true)
    try {
      await webhooks.call['POST /api/webhooks/{id}/deliveries/{deliveryId}/replay']({ params, body: {} })
      await refetch()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      width="lg"
      onClose={onClose}
      title={data?.type ?? 'Delivery'}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            icon="refresh"
            busy={busy}
            disabledReason={
              !enabled
                ? 'The webhook is off. Switch it on first.'
                : data?.state === 'PENDING' && data.attempts === 0
                  ? 'It is being delivered.'
                  : null
            }
            onClick={() => void replay()}
          >
            Send again
          </Button>
        </>
      }
    >
      {data ? <Detail delivery={data} /> : <TableSkeleton rows={4} />}
    </Dialog>
  )
}

function Detail({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { tone, label } = deliveryBadge(delivery)
  return (
    <div className="grid gap-4">
      <PropertyTable
        items={[
          { label: 'State', value: <StatusBadge tone={tone}>{label}</StatusBadge> },
          { label: 'Event time', value: <Time at={delivery.occurredAt} /> },
          { label: 'Webhook-Id', value: <Copyable value={delivery.messageId} />, wide: true },
          ...(delivery.nextAttemptAt && delivery.attempts > 0
            ? [{ label: 'Next try', value: <Time at={delivery.nextAttemptAt} />, wide: true }]
            : []),
        ]}
      />
      {delivery.log.length > 0 && (
        <div>
          <h3 className="mb-1.5 text-sm font-semibold">Attempts</h3>
          <ol className="divide-y divide-line rounded-md border border-line">
            {delivery.log.map((attempt, index) => (
              <Attempt key={index} attempt={attempt} />
            ))}
          </ol>
        </div>
      )}
      {delivery.body !== null && (
        <CodeBlock label="The message" snippets={[{ label: 'Message', text: pretty(delivery.body) }]} />
      )}
    </div>
  )
}

const Attempt = ({ attempt }: { attempt: WebhookAttempt }) => (
  <li className="grid gap-1 px-3 py-2 text-sm">
    <span className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span className={attempt.error ? '' : 'font-medium'}>{attempt.error ?? `Response: ${attempt.status}.`}</span>
      <span className="num text-xs text-faint">
        {attempt.durationMs} ms, <Time at={attempt.at} />
      </span>
    </span>
    {attempt.excerpt && (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable without a mouse
      <pre tabIndex={0} className="max-h-32 overflow-auto rounded-sm bg-sunken p-2 text-xs whitespace-pre-wrap">
        {attempt.excerpt}
      </pre>
    )}
  </li>
)

const pretty = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)

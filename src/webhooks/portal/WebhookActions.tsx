import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useConfirmIdentity } from '../../accounts/portal/proof/prove.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Confirm } from '../../ui/components/Confirm.tsx'
import { Menu } from '../../ui/components/Menu.tsx'
import type { WebhookEndpoint } from '../contract.ts'
import { OVERLAP_HOURS } from '../states.ts'
import { webhooks } from './api.ts'
import { ReplayDialog } from './ReplayDialog.tsx'
import { WebhookForm, type WebhookFields } from './WebhookForm.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'

type DialogState = 'edit' | 'renew' | 'replay' | 'remove' | { readonly secret: string }

export function WebhookActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id } = endpoint
  const params = { id }
  const queries = useQueryClient()
  const navigate = useNavigate()
  const confirmIdentity = useConfirmIdentity()
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const [busy, setBusy] = useState(false)
  const close = () => setDialog(null)
  const reread = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).includes('webhook') })
  const confirmed = async (next: DialogState) => {
    if (await confirmIdentity()) setDialog(next)
  }
  const doing = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
      await reread()
    } finally {
      setBusy(false)
    }
  }
  const change = (body: Partial<WebhookFields> & { enabled?: boolean }) =>
    webhooks.call['PATCH /api/webhooks/{id}']({ params, body })
  return (
    <>
      <Button
        icon="play"
        busy={busy}
        disabledReason={endpoint.enabled ? null : 'The webhook is off. Switch it on first.'}
        onClick={() => void doing(() => webhooks.call['POST /api/webhooks/{id}/ping']({ params, body: {} }))}
      >
        Send a ping
      </Button>
      <Button icon="power" busy={busy} onClick={() => void doing(() => change({ enabled: !endpoint.enabled }))}>
        {endpoint.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <Menu
        label="More about this webhook"
        entries={[
          { label: 'Change', icon: 'edit', onSelect: () => void confirmed('edit') },
          {
            label: 'Send again since …',
            icon: 'refresh',
            onSelect: () => setDialog('replay'),
            disabledReason: endpoint.enabled ? null : 'The webhook is off. Switch it on first.',
          },
          { label: 'Roll secret', icon: 'key', onSelect: () => void confirmed('renew') },
          { label: 'Remove', icon: 'trash', onSelect: () => setDialog('remove'), danger: true },
        ]}
      />
      {dialog === 'edit' && (
        <WebhookForm
          endpoint={endpoint}
          onClose={close}
          onSubmit={async (fields) => {
            if (!(await confirmIdentity())) return
            await webhooks.call['PATCH /api/webhooks/{id}']({ params, body: fields }, { notify: false })
            await reread()
            close()
          }}
        />
      )}
      {dialog === 'replay' && <ReplayDialog endpointId={id} onClose={close} onDone={() => void reread()} />}
      <Confirm
        open={dialog === 'renew'}
        onClose={close}
        title="Roll the secret?"
        consequences={[
          `Both secrets are valid for ${OVERLAP_HOURS} hours. Messages are signed with both, so nothing is lost while you switch.`,
          'After that, the old secret stops working.',
        ]}
        action="Roll secret"
        onConfirm={async () => {
          const body = { overlapHours: OVERLAP_HOURS }
          const { secret } = await webhooks.call['POST /api/webhooks/{id}/secret']({ params, body })
          await reread()
          // After the confirmation dialog has closed.
          setTimeout(() => setDialog({ secret }))
        }}
      />
      <Confirm
        open={dialog === 'remove'}
        onClose={close}
        title={`Remove the webhook to ${new URL(endpoint.url).host}?`}
        consequences={[
          'The endpoint receives no further messages.',
          'Pending messages are not sent and the delivery log is deleted.',
        ]}
        action="Remove webhook"
        danger
        onConfirm={async () => {
          await webhooks.call['DELETE /api/webhooks/{id}']({ params })
          await navigate({ to: '/settings', search: { tab: 'webhooks' } })
          notify({ type: 'success', title: 'Webhook removed', body: endpoint.url })
        }}
      />
      {typeof dialog === 'object' && dialog !== null && <WebhookSecret secret={dialog.secret} onClose={close} />}
    </>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProve } from '../../accounts/portal/proof/prove.ts'
import { notify } from '../../portal/notifications.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { Confirm } from '../../portal/ui/Confirm.tsx'
import { Menu } from '../../portal/ui/Menu.tsx'
import type { WebhookEndpoint } from '../contract.ts'
import { OVERLAP_HOURS } from '../states.ts'
import { webhooks } from './api.ts'
import { ReplayDialog } from './ReplayDialog.tsx'
import { WebhookForm, type WebhookFields } from './WebhookForm.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'

type Act = 'edit' | 'renew' | 'replay' | 'remove' | { readonly secret: string }

export function WebhookActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id } = endpoint
  const params = { id }
  const queries = useQueryClient()
  const navigate = useNavigate()
  const prove = useProve()
  const [act, setAct] = useState<Act | null>(null)
  const [busy, setBusy] = useState(false)
  const close = () => setAct(null)
  const reread = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).includes('webhook') })
  const proved = async (next: Act) => {
    if (await prove()) setAct(next)
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
          { label: 'Change', icon: 'edit', onSelect: () => void proved('edit') },
          {
            label: 'Send again since …',
            icon: 'refresh',
            onSelect: () => setAct('replay'),
            disabledReason: endpoint.enabled ? null : 'The webhook is off. Switch it on first.',
          },
          { label: 'Roll secret', icon: 'key', onSelect: () => void proved('renew') },
          { label: 'Remove', icon: 'trash', onSelect: () => setAct('remove'), danger: true },
        ]}
      />
      {act === 'edit' && (
        <WebhookForm
          endpoint={endpoint}
          onClose={close}
          onSubmit={async (fields) => {
            if (!(await prove())) return
            await webhooks.call['PATCH /api/webhooks/{id}']({ params, body: fields }, { notify: false })
            await reread()
            close()
          }}
        />
      )}
      {act === 'replay' && <ReplayDialog endpointId={id} onClose={close} onDone={() => void reread()} />}
      <Confirm
        open={act === 'renew'}
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
          // After the confirmation has closed itself.
          setTimeout(() => setAct({ secret }))
        }}
      />
      <Confirm
        open={act === 'remove'}
        onClose={close}
        title={`Remove the webhook to ${new URL(endpoint.url).host}?`}
        consequences={[
          'The endpoint receives no more messages.',
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
      {typeof act === 'object' && act !== null && <WebhookSecret secret={act.secret} onClose={close} />}
    </>
  )
}

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmIdentity } from '../../accounts/portal/proof/prove.ts'
import { Button } from '../../ui/components/Button.tsx'
import { DataTable } from '../../ui/components/DataTable.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { ENDPOINTS_MAX } from '../states.ts'
import { webhooks } from './api.ts'
import { ENDPOINT_COLUMNS } from './endpoint-columns.tsx'
import { WebhookForm, type WebhookFields } from './WebhookForm.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'

type DialogState = { readonly kind: 'make' } | { readonly kind: 'shown'; readonly secret: string }

export default function WebhooksTab() {
  const { data } = useSuspenseQuery(webhooks.query['GET /api/webhooks']())
  const queries = useQueryClient()
  const confirmIdentity = useConfirmIdentity()
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const close = () => setDialog(null)
  const add = async (body: WebhookFields) => {
    // The confirmed identity may have expired while the form was filled in. Asking again loses no input.
    if (!(await confirmIdentity())) return
    const { secret } = await webhooks.call['POST /api/webhooks']({ body }, { notify: false })
    setDialog({ kind: 'shown', secret })
    await queries.invalidateQueries({ queryKey: ['GET /api/webhooks'] })
  }
  const make = (
    <Button
      icon="plus"
      disabledReason={data.length >= ENDPOINTS_MAX ? `Limit of ${ENDPOINTS_MAX} reached. Remove one first.` : null}
      onClick={() => void confirmIdentity().then((confirmed) => confirmed && setDialog({ kind: 'make' }))}
    >
      New webhook
    </Button>
  )
  return (
    <Section
      title="Webhooks"
      summary="Signed messages to your server when something changes. Retried until delivered; order is not guaranteed."
      actions={data.length > 0 && make}
    >
      <DataTable
        label="Webhooks"
        columns={ENDPOINT_COLUMNS}
        rows={data}
        rowKey={(endpoint) => endpoint.id}
        empty={
          <EmptyState icon="external" title="No webhooks yet" action={make}>
            Notify your monitoring when a BGP session goes down, your inventory when a router changes, or your
            accounting when an invoice is issued. Messages follow Standard Webhooks, so existing libraries can verify
            them.
          </EmptyState>
        }
      />
      {dialog?.kind === 'make' && <WebhookForm onSubmit={add} onClose={close} />}
      {dialog?.kind === 'shown' && <WebhookSecret secret={dialog.secret} onClose={close} />}
    </Section>
  )
}

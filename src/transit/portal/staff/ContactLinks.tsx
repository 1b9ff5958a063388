import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { ChoiceCards } from '../../../ui/components/choices.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import type { AdminTransitPrefix } from '../../contract.ts'
import { occupiesSpace } from '../../states.ts'
import { LINK_BADGE, LINK_PURPOSE_LABELS } from '../prefix-labels.ts'
import { contactLinkDraft, prefixWithOwner, staffTransit } from './api.ts'

type Link = AdminTransitPrefix['contactLinks'][number]
type Purpose = Link['purpose']

/** The contacts who were emailed a link about this prefix, and the outcomes. */
export function ContactLinks({ prefix }: { prefix: AdminTransitPrefix }) {
  const [asked, setAsked] = useState<Purpose | null>(null)
  const missingRole = useMissingRoleReason('network')
  const blocked = missingRole ?? (occupiesSpace(prefix.status) ? null : 'This request is closed.')
  const purposes: readonly Purpose[] =
    prefix.announcementType === 'DOWNSTREAM' && prefix.originAsn !== prefix.asn ? ['SPACE', 'DOWNSTREAM'] : ['SPACE']
  return (
    <div className="grid gap-3">
      <DataTable
        label="Links to registry contacts"
        columns={columns}
        rows={prefix.contactLinks}
        rowKey={({ id }) => String(id)}
        empty={
          <EmptyState icon="mail" title="No links sent">
            A contact listed by the registry can confirm this prefix with a link.
          </EmptyState>
        }
      />
      <div className="flex flex-wrap gap-2">
        {purposes.map((purpose) => (
          <Button key={purpose} icon="mail" disabledReason={blocked} onClick={() => setAsked(purpose)}>
            {purpose === 'SPACE' ? 'Email a contact of the block' : 'Email a contact of the downstream'}
          </Button>
        ))}
      </div>
      {asked && <SendDialog prefix={prefix} purpose={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

const columns: readonly Column<Link>[] = [
  {
    id: 'email',
    header: 'Contact',
    cell: ({ email, roles }) => `${email}${roles.length > 0 ? ` (${roles.join(', ')})` : ''}`,
  },
  { id: 'purpose', header: 'Speaks for', cell: ({ purpose, handle }) => `${LINK_PURPOSE_LABELS[purpose]}, ${handle}` },
  { id: 'state', header: 'State', besideName: true, cell: ({ state }) => <ToneBadge badge={LINK_BADGE[state]} /> },
  { id: 'sentAt', header: 'Sent', cell: ({ sentAt }) => <Time at={sentAt} /> },
  {
    id: 'confirmedAt',
    header: 'Confirmed',
    cell: ({ confirmedAt, byCustomer }) => (
      <>
        <Time at={confirmedAt} none="not yet" />
        {byCustomer && ', signed in as the customer'}
      </>
    ),
  },
  { id: 'expiresAt', header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
]

function SendDialog({
  prefix,
  purpose,
  onClose,
}: {
  prefix: AdminTransitPrefix
  purpose: Purpose
  onClose: () => void
}) {
  const queries = useQueryClient()
  const { data, error } = useQuery(contactLinkDraft(prefix.id, purpose))
  const send = async (values: FormValues, submission: Submission) => {
    const email = values.text('email')
    const input = { params: { id: prefix.id }, body: { purpose, email } }
    const after = await staffTransit.call['POST /api/admin/transit_prefixes/{id}/contact_links'](input, submission)
    queries.setQueryData(prefixWithOwner(prefix.id).queryKey, after)
    notify({ type: 'success', title: `Sent to ${email}`, body: 'The link is valid for seven days.' })
    onClose()
  }
  const contacts = data?.contacts ?? []
  return (
    <Dialog open onClose={onClose} title={`${LINK_PURPOSE_LABELS[purpose]}: ${prefix.value}`}>
      <Form onSubmit={send} explain={explainFailure}>
        {error && (
          <Callout tone="warn" title="The registry does not answer">
            {error.message}
          </Callout>
        )}
        {!data && !error && <p>Asking the registry…</p>}
        {data && contacts.length === 0 && <p>The registry lists no contact that could confirm this.</p>}
        {contacts.length > 0 && (
          <>
            <p>
              {data?.subject}
              {data?.holder && `, held by ${data.holder}`}, last changed{' '}
              <Time at={data?.changedAt} none="at an unknown date" />. A link sent before stops working.
            </p>
            <ChoiceCards
              legend="Contact"
              name="email"
              defaultValue={contacts[0]!.email}
              options={contacts.map(({ email, roles, source, domainRegisteredAt }) => ({
                value: email,
                label: email,
                detail: (
                  <>
                    {roles.join(', ')}, domain registered <Time at={domainRegisteredAt} none="at an unknown date" />
                  </>
                ),
                aside: source,
              }))}
            />
          </>
        )}
        {data && data.abuseContacts.length > 0 && (
          <p className="text-sm text-dim">
            Not accepted: {data.abuseContacts.map(({ email }) => email).join(', ')}. An abuse contact does not represent
            the holder.
          </p>
        )}
        <FormFooter onCancel={onClose} waits={contacts.length > 0 ? null : 'There is no contact to choose.'}>
          Send link
        </FormFooter>
      </Form>
    </Dialog>
  )
}

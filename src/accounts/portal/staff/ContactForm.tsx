import { useState } from 'react'
import { formatAsn } from '../../../kernel/asn.ts'
import type { Answer } from '../../../kernel/endpoint.ts'
import type { AccountsApi } from '../../contract.ts'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { ChoiceCards } from '../../../ui/components/choices.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import { staffAccounts } from './api.ts'
import { invalidateCache } from '../../../ui/graphql/client.ts'
import { fullName } from './user-name.ts'

type Draft = Answer<AccountsApi['GET /api/admin/users/{id}/asn_verifications/new']>

/** Shows the contacts to choose from, the email to the chosen one, and the button that sends it. */
export function ContactForm({ draft, asn, onSent }: { draft: Draft; asn: number; onSent: () => Promise<unknown> }) {
  const { user, contacts, abuseContacts } = draft
  const [chosen, setChosen] = useState(contacts[0]?.email)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const blockedReason = useStaffDenial('support', user.id)
  if (contacts.length === 0) {
    return (
      <div className="mt-6">
        <EmptyState icon="mail" title={`No registry contact can verify ${formatAsn(asn)}`}>
          Ask {user.email} to add a contact at the registry, or use another way to verify the ASN.
        </EmptyState>
        <AbuseContacts contacts={abuseContacts} />
      </div>
    )
  }
  const send = async (values: FormValues, submission: Submission) => {
    const email = values.text('email')
    await staffAccounts.call['POST /api/admin/users/{id}/asn_verifications'](
      { params: { id: user.id }, body: { email } },
      submission,
    )
    setSentTo(email)
    invalidateCache()
    await onSent()
  }
  return (
    <Form onSubmit={send} explain={explainFailure} className="mt-6 grid grid-cols-1 gap-5">
      {({ busy }) => (
        <>
          {sentTo && (
            <Callout tone="ok" title={`Sent to ${sentTo}`} alert>
              The link is valid for seven days.
            </Callout>
          )}
          <ChoiceCards
            legend="Contact"
            name="email"
            defaultValue={contacts[0]?.email ?? ''}
            onChange={setChosen}
            options={contacts.map((contact) => ({
              value: contact.email,
              label: contact.email,
              detail: (
                <>
                  {contact.roles.join(', ')}, domain registered{' '}
                  <Time at={contact.domainRegisteredAt} none="at an unknown date" />
                </>
              ),
              aside: contact.source,
            }))}
          />
          <AbuseContacts contacts={abuseContacts} />
          <section
            aria-label="Email preview"
            className="min-w-0 rounded-md border border-line bg-sunken px-4 py-3 text-sm wrap-anywhere"
          >
            <p className="text-faint">
              To <span className="text-ink">{chosen}</span>
            </p>
            <p className="mt-1.5">
              {user.email} ({fullName(user)}) claims {formatAsn(asn)}. A link to confirm it follows; ignoring it
              declines. Earlier links stop working.
            </p>
          </section>
          <div>
            <Button
              type="submit"
              variant="primary"
              icon="mail"
              busy={busy}
              disabledReason={
                blockedReason ?? (draft.asnVerifiedAt === null ? null : `${formatAsn(asn)} is already verified.`)
              }
            >
              Send verification
            </Button>
          </div>
        </>
      )}
    </Form>
  )
}

function AbuseContacts({ contacts }: { contacts: Draft['abuseContacts'] }) {
  if (contacts.length === 0) return null
  return (
    <p className="mt-2 text-sm text-dim wrap-anywhere">
      Not accepted: {contacts.map(({ email }) => email).join(', ')}. An abuse contact does not prove who holds the ASN;
      it often belongs to the upstream.
    </p>
  )
}

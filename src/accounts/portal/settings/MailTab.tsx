import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useUser } from '../../../portal/session.ts'
import { Checkbox } from '../../../portal/ui/choices.tsx'
import { Panel, Section } from '../../../portal/ui/PageHeader.tsx'
import { MAIL_KINDS, type MailKind } from '../../policy.ts'
import { accounts } from '../api.ts'

const WORDS: Readonly<Record<MailKind, { readonly label: string; readonly hint: string }>> = {
  prefix_decisions: {
    label: 'What becomes of my prefixes',
    hint: 'Approved, rejected, or waiting for something that only you can mend.',
  },
  prefix_warnings: {
    label: 'Warnings before harm',
    hint: 'An approved prefix lost its ROA or its route object: other networks may drop it.',
  },
  receipts: { label: 'Invoices and receipts', hint: 'They are under Billing in any case.' },
}

export default function MailTab() {
  const user = useUser()
  const queries = useQueryClient()
  const query = accounts.query['GET /api/user/mail_preferences']()
  const { data } = useSuspenseQuery(query)
  const change = async (kind: MailKind, wanted: boolean) => {
    // Shown at once, and taken back when the server refuses.
    queries.setQueryData(query.queryKey, { ...data, [kind]: wanted })
    try {
      const body = { [kind]: wanted }
      queries.setQueryData(query.queryKey, await accounts.call['PATCH /api/user/mail_preferences']({ body }))
    } catch {
      await queries.invalidateQueries({ queryKey: query.queryKey })
    }
  }
  return (
    <div className="max-w-3xl">
      <Section title="Mails" summary={`Sent to ${user?.email ?? 'your address'}.`}>
        <Panel className="grid gap-4 p-4">
          {MAIL_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              {...WORDS[kind]}
              checked={data[kind]}
              onChange={(event) => void change(kind, event.target.checked)}
            />
          ))}
          <Checkbox
            label="What concerns the safety of my account, and money that is owed"
            hint="Always sent: passwords, passkeys, addresses, ASN proofs, suspended prefixes, failed payments."
            checked
            readOnly
            aria-disabled
          />
        </Panel>
      </Section>
    </div>
  )
}

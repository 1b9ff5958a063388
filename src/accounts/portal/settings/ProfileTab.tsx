import { useUser } from '../../../portal/session.ts'
import { PropertyTable } from '../../../portal/ui/PropertyTable.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { formatAsn } from '../../../kernel/asn.ts'
import { AddressForm } from './AddressForm.tsx'
import { AppearanceChoice } from './AppearanceChoice.tsx'
import { CloseAccount } from './CloseAccount.tsx'
import { NameForm } from './NameForm.tsx'

export default function ProfileTab() {
  const user = useUser()
  if (!user) return null
  return (
    <div className="max-w-3xl">
      <Section title="You">
        <div className="mb-4">
          <PropertyTable
            items={[
              { label: 'Address', value: user.email },
              { label: 'ASN', value: user.asn === null ? 'none named yet' : formatAsn(user.asn) },
              { label: 'Member since', value: <Time at={user.createdAt} as="day" /> },
              { label: 'ASN verified', value: <Time at={user.asnVerifiedAt} as="day" none="not yet" /> },
            ]}
          />
        </div>
        <NameForm key={`${user.firstName} ${user.lastName}`} user={user} />
      </Section>
      <Section
        title="Address"
        summary="Both mailboxes must agree: the new one to show that it is yours, the old one so that nobody walks away with your account."
      >
        <AddressForm />
      </Section>
      <Section title="Appearance" summary="Kept in this browser.">
        <AppearanceChoice />
      </Section>
      <Section title="Close the account">
        <CloseAccount email={user.email} />
      </Section>
    </div>
  )
}

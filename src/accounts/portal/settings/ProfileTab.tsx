import { useUser } from '../../../ui/runtime/session.ts'
import { LoadedSection } from '../../../ui/screens/LoadedSection.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { BlockSkeleton } from '../../../ui/components/Skeleton.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { EmailAddressForm } from './EmailAddressForm.tsx'
import { AppearanceChoice } from './AppearanceChoice.tsx'
import { AsnSection } from './AsnSection.tsx'
import { CloseAccount } from './CloseAccount.tsx'
import { NameForm } from './NameForm.tsx'

export default function ProfileTab() {
  const user = useUser()
  if (!user) return null
  return (
    <>
      <Section title="You">
        <div className="mb-4">
          <PropertyTable
            items={[
              { label: 'Email', value: user.email },
              { label: 'Member since', value: <Time at={user.createdAt} as="day" /> },
            ]}
          />
        </div>
        <NameForm key={`${user.firstName} ${user.lastName}`} user={user} />
      </Section>
      <AsnSection />
      <Section title="Email address" summary="A change must be confirmed from both your current and your new address.">
        <EmailAddressForm />
      </Section>
      <Section title="Appearance" summary="Saved in this browser.">
        <AppearanceChoice />
      </Section>
      <LoadedSection head={{ title: 'Close account' }} loading={<BlockSkeleton className="h-18 max-md:h-28" />}>
        <Section title="Close account">
          <CloseAccount email={user.email} />
        </Section>
      </LoadedSection>
    </>
  )
}

import { useUser } from '../../../ui/runtime/session.ts'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { Passkeys } from './Passkeys.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { Sessions } from './Sessions.tsx'
import { SecondFactor } from './SecondFactor.tsx'

export default function SignInTab() {
  return (
    <>
      {useUser()?.needsSecondFactor && (
        <div className="mb-6">
          <Callout tone="warn" title="Two-factor authentication required">
            Add a passkey or set up the authenticator app to open staff pages.
          </Callout>
        </div>
      )}
      <Passkeys />
      <Section title="Password" summary="Changing it signs you out in all other browsers.">
        <PasswordForm />
      </Section>
      <SecondFactor />
      <Sessions />
    </>
  )
}

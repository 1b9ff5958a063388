import { useUser } from '../../../portal/session.ts'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { Passkeys } from './Passkeys.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { Sessions } from './Sessions.tsx'
import { SecondFactor } from './SecondFactor.tsx'

export default function SignInTab() {
  return (
    <>
      {useUser()?.needsSecondFactor && (
        <div className="mb-6">
          <Callout tone="warn" title="Staff need a second factor here">
            Add a passkey, or switch the authenticator app on. The screens of staff open as soon as you have.
          </Callout>
        </div>
      )}
      <Passkeys />
      <Section title="Password" summary="Changing it signs out every other browser.">
        <PasswordForm />
      </Section>
      <SecondFactor />
      <Sessions />
    </>
  )
}

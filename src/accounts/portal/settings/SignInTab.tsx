import { Section } from '../../../portal/ui/PageHeader.tsx'
import { Passkeys } from './Passkeys.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { Sessions } from './Sessions.tsx'
import { SecondFactor } from './SecondFactor.tsx'

export default function SignInTab() {
  return (
    <div className="max-w-4xl">
      <Passkeys />
      <Section title="Password" summary="Changing it signs out every other browser.">
        <PasswordForm />
      </Section>
      <SecondFactor />
      <Sessions />
    </div>
  )
}

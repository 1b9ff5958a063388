import { Callout } from '../../ui/components/Callout.tsx'
import { supportEmail } from '../../ui/runtime/page-settings.ts'
import type { CurrentUser } from '../contract.ts'

/** Replaces the notice to pay, which would be wrong: no payment ends this suspension. */
export const SuspendedByStaff = ({
  suspension,
  title,
  consequence,
}: {
  suspension: NonNullable<CurrentUser['suspension']>
  title: string
  /** The effect on what the page shows. */
  consequence: string
}) => (
  <Callout tone="bad" title={title}>
    Our staff suspended your account. Reason: {suspension.reason}
    <br />
    {consequence} To have it lifted, contact{' '}
    <a href={`mailto:${supportEmail}`} className="link">
      {supportEmail}
    </a>
    .
  </Callout>
)

import { useState } from 'react'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { Menu } from '../../../ui/components/Menu.tsx'
import type { MenuEntry } from '../../../ui/components/menu-entries.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import { rereadStaff } from '../../../ui/staff/use-action.ts'
import type { ResendableEmail } from '../../contract.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { staffAccounts } from './api.ts'
import { useOwnerNeeded } from './owner-needed.ts'
import { SupportReasonField } from './SupportReasonField.tsx'
import type { DetailedUser } from './user-documents.ts'
import { fullName } from './user-name.ts'
import { RequestReset, useResetDenial } from './SecondFactorReset.tsx'
import { SuspendAccount, useSuspendDenial } from './UserSuspension.tsx'

type Chosen = ResendableEmail | 'end_sessions' | 'suspend' | 'reset'

const EMAILS: Readonly<Record<ResendableEmail, { label: string; consequences: (user: DetailedUser) => string[] }>> = {
  confirmation: {
    label: 'Resend confirmation email',
    consequences: ({ email }) => [
      `${email} gets a new link that confirms the address. It expires in 24 hours.`,
      'Earlier links keep working until they expire.',
    ],
  },
  password_reset: {
    label: 'Send password reset',
    consequences: ({ email }) => [
      `${email} gets a link to set a new password. It expires in one hour.`,
      'Nothing changes until the link is used. A second factor is still required to sign in.',
    ],
  },
  asn_verification: {
    label: 'Resend ASN verification',
    consequences: () => [
      'The registry contact that was chosen last gets a new link, if the registry still lists it.',
      'The link sent before stops working.',
    ],
  },
}

/** The everyday support actions for a user. Each dialog says what will happen and who gets an email. */
export function SupportActions({ user }: { user: DetailedUser }) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const missingRole = useMissingRoleReason('support')
  const asnDenial = useStaffDenial('support', user.databaseId)
  const ownerNeeded = useOwnerNeeded(user)
  const confirmIdentity = useConfirmIdentity()
  const suspendDenial = useSuspendDenial(user)
  const resetDenial = useResetDenial(user)
  const close = () => setChosen(null)
  const entry = (what: ResendableEmail, blocked: string | null): MenuEntry => ({
    label: EMAILS[what].label,
    icon: 'mail',
    disabledReason: missingRole ?? blocked,
    onSelect: () => setChosen(what),
  })
  const asnPending = user.ipTransit?.asnVerificationLink ?? null
  const entries: MenuEntry[] = [
    entry('confirmation', user.hasVerifiedEmail ? 'This address is already confirmed.' : null),
    entry('password_reset', null),
    entry('asn_verification', asnDenial ?? (asnPending === null ? 'No ASN verification is pending.' : null)),
    {
      label: 'End all sessions',
      icon: 'exit',
      apart: true,
      disabledReason: missingRole ?? ownerNeeded,
      onSelect: () => setChosen('end_sessions'),
    },
    {
      label: 'Reset second factor',
      icon: 'key',
      disabledReason: missingRole ?? resetDenial,
      onSelect: () => void confirmIdentity().then((confirmed) => confirmed && setChosen('reset')),
    },
    {
      label: 'Suspend account',
      icon: 'warning',
      disabledReason: missingRole ?? suspendDenial,
      onSelect: () => void confirmIdentity().then((confirmed) => confirmed && setChosen('suspend')),
    },
  ]
  return (
    <>
      <Menu label={`Actions for ${fullName(user)}`} text="Actions" entries={entries} />
      {chosen !== null && chosen !== 'end_sessions' && chosen !== 'suspend' && chosen !== 'reset' && (
        <Confirm
          open
          onClose={close}
          title={EMAILS[chosen].label}
          action={EMAILS[chosen].label}
          consequences={[...EMAILS[chosen].consequences(user), 'The customer’s activity shows it.']}
          onConfirm={() => resend(user, chosen)}
        />
      )}
      {chosen === 'reset' && <RequestReset user={user} onClose={close} />}
      {chosen === 'suspend' && <SuspendAccount user={user} onClose={close} />}
      {chosen === 'end_sessions' && <EndSessions user={user} onClose={close} />}
    </>
  )
}

async function resend(user: DetailedUser, email: ResendableEmail) {
  const { to } = await staffAccounts.call['POST /api/admin/users/{id}/emails']({
    params: { id: user.databaseId },
    body: { email },
  })
  await rereadStaff()
  notify({ type: 'success', title: `Email queued for ${to}` })
}

const EndSessions = ({ user, onClose }: { user: DetailedUser; onClose: () => void }) => (
  <FormDialog
    title={`End all sessions of ${fullName(user)}`}
    action="End all sessions"
    danger
    onClose={onClose}
    onSubmit={async (values, submission) => {
      const { ended } = await staffAccounts.call['POST /api/admin/users/{id}/sessions/end'](
        { params: { id: user.databaseId }, body: { reason: values.text('reason') } },
        submission,
      )
      await rereadStaff()
      notify({ type: 'success', title: ended === 1 ? 'One session ended' : `${ended} sessions ended` })
    }}
  >
    <ul className="grid list-disc gap-1 pl-5 text-sm">
      <li>They are signed out in every browser and can sign in again.</li>
      <li>API tokens keep working. A new password revokes those.</li>
      <li>They are notified by email.</li>
    </ul>
    <SupportReasonField hint="In the audit log. The customer doesn’t see it." />
  </FormDialog>
)

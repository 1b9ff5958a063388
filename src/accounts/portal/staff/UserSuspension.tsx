import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { notify } from '../../../ui/runtime/notifications.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { useUser } from '../../../ui/runtime/session.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../ui/staff/use-action.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { staffAccounts, suspensionsOf } from './api.ts'
import { SupportReasonField } from './SupportReasonField.tsx'
import { useOwnerNeeded } from './owner-needed.ts'
import type { DetailedUser } from './user-documents.ts'
import { fullName } from './user-name.ts'

/** Shown at the top of the page of a suspended user: why, by whom, and a button to lift the suspension. */
export function SuspensionNotice({ user }: { user: DetailedUser }) {
  const [lifting, setLifting] = useState(false)
  const confirmIdentity = useConfirmIdentity()
  const { data } = useQuery(suspensionsOf(user.databaseId))
  const missingRole = useMissingRoleReason('support')
  const ownerNeeded = useOwnerNeeded(user)
  const current = data?.suspensions.find(({ lifted }) => lifted === null)
  if (!current) return null
  return (
    <div className="mb-4">
      <Callout
        tone="bad"
        title="This account is suspended"
        action={
          <Button disabledReason={missingRole ?? ownerNeeded} onClick={() => void confirmIdentity().then(setLifting)}>
            Lift suspension
          </Button>
        }
      >
        {current.reason}
        <br />
        By {current.by.name}, <Time at={current.at} />. Routers are off and prefixes withdrawn.
      </Callout>
      {lifting && <LiftSuspension user={user} onClose={() => setLifting(false)} />}
    </div>
  )
}

/** Lists lifted suspensions. Renders nothing if there are none. */
export function FormerSuspensions({ user }: { user: DetailedUser }) {
  const { data } = useQuery(suspensionsOf(user.databaseId))
  const former = data?.suspensions.filter(({ lifted }) => lifted !== null) ?? []
  if (former.length === 0) return null
  return (
    <Section title="Former suspensions">
      <ul aria-label="Former suspensions" className="grid gap-2">
        {former.map(({ id, reason, at, by, lifted }) => (
          <li key={id} className="rounded-md border border-line px-3 py-2.5">
            <p className="text-base wrap-anywhere">{reason}</p>
            <p className="mt-1 text-sm wrap-anywhere text-dim">
              Suspended by {by.name} <Time at={at} />, lifted by {lifted!.by.name} <Time at={lifted!.at} />:{' '}
              {lifted!.reason}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Returns why the account cannot be suspended; null if it can. */
export function useSuspendDenial(user: DetailedUser): string | null {
  const self = useUser()
  const ownerNeeded = useOwnerNeeded(user)
  const { data } = useQuery(suspensionsOf(user.databaseId))
  if (self?.id === user.databaseId) return 'You can’t suspend your own account.'
  if (data?.suspensions.some(({ lifted }) => lifted === null)) return 'This account is already suspended.'
  return ownerNeeded
}

export function SuspendAccount({ user, onClose }: { user: DetailedUser; onClose: () => void }) {
  return (
    <FormDialog
      title={`Suspend the account of ${fullName(user)}`}
      action="Suspend account"
      danger
      onClose={onClose}
      onSubmit={async (values, submission) => {
        await staffAccounts.call['POST /api/admin/users/{id}/suspensions'](
          { params: { id: user.databaseId }, body: { reason: values.text('reason') } },
          submission,
        )
        await rereadStaff()
        notify({ type: 'success', title: 'Account suspended', body: 'Routers stop and prefixes are withdrawn.' })
      }}
    >
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        <li>Their routers are shut down and their prefixes withdrawn. Disks and addresses are kept.</li>
        <li>They are signed out once. They can sign in again, read everything, pay and contact support.</li>
        <li>Until it is lifted they can’t change or delete routers, prefixes or the connection.</li>
        <li>Charges continue. Paying an invoice doesn’t lift it.</li>
        {user.isAdmin && <li>They lose all staff access until it is lifted.</li>}
      </ul>
      <SupportReasonField hint="The customer reads it by email, above every page and in their activity." />
    </FormDialog>
  )
}

function LiftSuspension({ user, onClose }: { user: DetailedUser; onClose: () => void }) {
  return (
    <FormDialog
      title={`Lift the suspension of ${fullName(user)}`}
      action="Lift suspension"
      onClose={onClose}
      onSubmit={async (values, submission) => {
        await staffAccounts.call['POST /api/admin/users/{id}/suspensions/lift'](
          { params: { id: user.databaseId }, body: { reason: values.text('reason') } },
          submission,
        )
        await rereadStaff()
        notify({ type: 'success', title: 'Suspension lifted' })
      }}
    >
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        <li>Routers that ran before start again, and prefixes are announced.</li>
        <li>Services that an unpaid invoice stopped stay stopped.</li>
        <li>They are notified by email.</li>
      </ul>
      <SupportReasonField hint="For staff. The customer doesn’t see it." />
    </FormDialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { notify } from '../../../ui/runtime/notifications.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../ui/staff/use-action.ts'
import type { SecondFactorReset, SecondFactorResets } from '../../contract.ts'
import { APPROVAL_HOURS, STAFF_CHANGE_DAYS } from '../../second-factor-reset/limits.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { secondFactorResetsOf, staffAccounts } from './api.ts'
import { SupportReasonField } from './SupportReasonField.tsx'
import type { DetailedUser } from './user-documents.ts'
import { fullName } from './user-name.ts'

const isOpen = ({ state }: SecondFactorReset): boolean => state === 'requested' || state === 'approved'
const NOBODY = `No one else can approve. Add a second member of staff with the Support or Owner role under Team; they can approve after ${STAFF_CHANGE_DAYS} days.`
const inWords = (hours: number): string => (hours === 1 ? 'one hour' : `${Number(hours.toFixed(1))} hours`)

const useResets = (user: DetailedUser): SecondFactorResets | undefined =>
  useQuery(secondFactorResetsOf(user.databaseId)).data

/** Returns why a reset cannot be requested; null if it can. */
export const useResetDenial = (user: DetailedUser): string | null => useResets(user)?.denied.request ?? null

/** Shown at the top of the page of a user with an open second factor reset: who, why, until when. */
export function ResetNotice({ user }: { user: DetailedUser }) {
  const [acting, setActing] = useState<'approve' | 'cancel' | null>(null)
  const confirmIdentity = useConfirmIdentity()
  const data = useResets(user)
  const reset = data?.resets.find(isOpen)
  if (!data || !reset) return null
  const act = (what: 'approve' | 'cancel') => void confirmIdentity().then((confirmed) => confirmed && setActing(what))
  const close = () => setActing(null)
  const { approval } = reset
  return (
    <div className="mb-4">
      <Callout
        tone="warn"
        title={
          approval ? (
            <>
              The second factor will be reset <Time at={approval.dueAt} />
            </>
          ) : (
            'A reset of the second factor awaits an approval'
          )
        }
        action={
          <div className="flex gap-2">
            {!approval && (
              <Button variant="primary" disabledReason={data.denied.approve} onClick={() => act('approve')}>
                Approve
              </Button>
            )}
            <Button disabledReason={data.denied.cancel} onClick={() => act('cancel')}>
              Cancel reset
            </Button>
          </div>
        }
      >
        <p className="wrap-anywhere">{reset.reason}</p>
        <p className="wrap-anywhere">Identity check: {reset.identityCheck}</p>
        <p>
          Requested by {reset.requestedBy.name} <Time at={reset.requestedAt} />.{' '}
          {approval ? (
            <>
              Approved by {approval.by.name} <Time at={approval.at} />.
            </>
          ) : (
            <>
              Expires <Time at={reset.approveBefore} /> unless approved.
            </>
          )}
        </p>
        {!approval && data.approvers === 0 && <p className="mt-1 font-medium">{NOBODY}</p>}
      </Callout>
      {acting === 'approve' && (
        <Confirm
          open
          onClose={close}
          title={`Approve the reset for ${fullName(user)}`}
          action="Approve reset"
          consequences={[
            `${inWords(data.waitHours)} from now their authenticator app, passkeys and recovery codes are removed.`,
            'All their sessions, API tokens and open links end with it. The password stays and signs in alone.',
            'They are notified by email and can stop it until then.',
            'Approve only if you are convinced of the identity check yourself.',
          ]}
          onConfirm={async () => {
            await staffAccounts.call['POST /api/admin/users/{id}/second_factor_resets/{resetId}/approve']({
              params: { id: user.databaseId, resetId: reset.id },
              body: {},
            })
            await rereadStaff()
            notify({ type: 'success', title: 'Reset approved' })
          }}
        />
      )}
      {acting === 'cancel' && <CancelReset user={user} reset={reset} onClose={close} />}
    </div>
  )
}

export function RequestReset({ user, onClose }: { user: DetailedUser; onClose: () => void }) {
  const data = useResets(user)
  return (
    <FormDialog
      title={`Reset the second factor of ${fullName(user)}`}
      action="Request reset"
      onClose={onClose}
      onSubmit={async (values, submission) => {
        await staffAccounts.call['POST /api/admin/users/{id}/second_factor_resets'](
          {
            params: { id: user.databaseId },
            body: { reason: values.text('reason'), identityCheck: values.text('identityCheck') },
          },
          submission,
        )
        await rereadStaff()
        notify({ type: 'success', title: 'Reset requested', body: 'Another member of staff must approve it.' })
      }}
    >
      {data?.approvers === 0 && <Callout tone="warn">{NOBODY}</Callout>}
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        <li>Another member of staff must approve it within {APPROVAL_HOURS} hours. You can’t.</li>
        <li>
          {inWords(data?.waitHours ?? 0)} after that, authenticator app, passkeys, recovery codes, sessions and API
          tokens are removed. The password stays.
        </li>
        <li>They are notified now, by email and above every page, and can stop it. All staff are notified by email.</li>
        <li>It ends when they use the second factor.</li>
      </ul>
      <SupportReasonField hint="For staff. The customer doesn’t see it." />
      <SupportReasonField
        label="Identity check"
        name="identityCheck"
        hint="How you made sure that the person asking is the customer. For staff."
      />
    </FormDialog>
  )
}

const CancelReset = ({
  user,
  reset,
  onClose,
}: {
  user: DetailedUser
  reset: SecondFactorReset
  onClose: () => void
}) => (
  <FormDialog
    title={`Cancel the reset for ${fullName(user)}`}
    action="Cancel reset"
    onClose={onClose}
    onSubmit={async (values, submission) => {
      await staffAccounts.call['POST /api/admin/users/{id}/second_factor_resets/{resetId}/cancel'](
        { params: { id: user.databaseId, resetId: reset.id }, body: { reason: values.text('reason') } },
        submission,
      )
      await rereadStaff()
      notify({ type: 'success', title: 'Reset canceled' })
    }}
  >
    <p className="text-sm">Their second factor stays as it is. They are notified by email.</p>
    <SupportReasonField hint="For staff. The customer doesn’t see it." />
  </FormDialog>
)

const ENDED: Readonly<Record<Exclude<SecondFactorReset['state'], 'requested' | 'approved'>, string>> = {
  completed: 'Second factor removed',
  expired: 'Expired: not approved in time',
  stopped: 'Stopped by the user',
  cancelled: 'Canceled',
  factor_used: 'Ended: the user used or changed a second factor',
  void: 'Ended: the account closed or became staff',
}

/** Lists ended resets. Renders nothing if there are none. */
export function FormerResets({ user }: { user: DetailedUser }) {
  const former = useResets(user)?.resets.filter((reset) => !isOpen(reset)) ?? []
  if (former.length === 0) return null
  return (
    <Section title="Former second factor resets">
      <ul aria-label="Former second factor resets" className="grid gap-2">
        {former.map(({ id, state, reason, identityCheck, requestedBy, requestedAt, approval, end }) => (
          <li key={id} className="rounded-md border border-line px-3 py-2.5">
            <p className="text-base wrap-anywhere">
              {ENDED[state as keyof typeof ENDED]}
              {state === 'cancelled' && end?.by && ` by ${end.by.name}: ${end.reason}`}
              {end && (
                <>
                  , <Time at={end.at} />
                </>
              )}
            </p>
            <p className="mt-1 text-sm wrap-anywhere text-dim">
              Requested by {requestedBy.name} <Time at={requestedAt} />: {reason} Identity check: {identityCheck}
              {approval && (
                <>
                  {' '}
                  Approved by {approval.by.name} <Time at={approval.at} />.
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

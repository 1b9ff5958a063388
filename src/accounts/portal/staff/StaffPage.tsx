import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IdentityGate } from '../proof/IdentityGate.tsx'
import { useConfirmIdentity } from '../proof/prove.ts'
import type { StaffMember } from '../../contract.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { queryClient } from '../../../ui/live/query-client.ts'
import { useUser } from '../../../ui/runtime/session.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { PageHeader, Section } from '../../../ui/components/PageHeader.tsx'
import { staffAccounts, staffMembers } from './api.ts'
import { fullName } from './user-name.ts'
import { RoleMeanings } from './RoleMeanings.tsx'
import { RolesDialog } from './RolesDialog.tsx'
import { staffColumns } from './staff-columns.tsx'

type DialogState = { readonly kind: 'grant' } | { readonly kind: 'change' | 'revoke'; readonly member: StaffMember }

export const StaffPage = () => (
  <IdentityGate>
    <Staff />
  </IdentityGate>
)

function Staff() {
  const { data } = useSuspenseQuery(staffMembers())
  const user = useUser()
  const confirmIdentity = useConfirmIdentity()
  const blockedReason = useMissingRoleReason('owner')
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const begin = (wanted: DialogState) => void confirmIdentity().then((confirmed) => confirmed && setDialog(wanted))
  const close = () => setDialog(null)
  const owners = data.staff.filter(({ roles }) => roles.includes('owner')).length
  const isLastOwner = (member: StaffMember) => owners === 1 && member.roles.includes('owner')
  const reread = () => queryClient.invalidateQueries({ queryKey: staffMembers().queryKey })
  return (
    <>
      <PageHeader
        title="Team"
        summary={
          data.secondFactorRequired
            ? 'Roles and permissions. Staff must have two-factor authentication to open staff pages.'
            : 'Roles and permissions. Two-factor authentication is optional.'
        }
        actions={
          <Button variant="primary" icon="plus" disabledReason={blockedReason} onClick={() => begin({ kind: 'grant' })}>
            Add staff
          </Button>
        }
      />
      <DataTable
        label="Staff"
        columns={staffColumns({
          self: user?.id ?? 0,
          required: data.secondFactorRequired,
          blockedReason,
          isLastOwner,
          onChange: (member) => begin({ kind: 'change', member }),
          onRevoke: (member) => begin({ kind: 'revoke', member }),
        })}
        rows={data.staff}
        rowKey={(member) => member.id}
      />
      <Section title="Roles" summary="All staff have read access. Roles can be combined.">
        <RoleMeanings />
      </Section>
      {(dialog?.kind === 'grant' || dialog?.kind === 'change') && (
        <RolesDialog
          member={dialog.kind === 'change' ? dialog.member : null}
          mustOwn={dialog.kind === 'change' && isLastOwner(dialog.member)}
          onClose={close}
          onDone={reread}
        />
      )}
      {dialog?.kind === 'revoke' && (
        <Confirm
          open
          danger
          onClose={close}
          title={`Remove staff access for ${fullName(dialog.member)}?`}
          consequences={[
            'They are signed out everywhere and lose access to staff pages.',
            'Their customer account and its resources are kept.',
            'We notify them by email.',
          ]}
          action="Remove access"
          onConfirm={async () => {
            await staffAccounts.call['DELETE /api/admin/staff/{id}']({ params: { id: dialog.member.id } })
            await reread()
          }}
        />
      )}
    </>
  )
}

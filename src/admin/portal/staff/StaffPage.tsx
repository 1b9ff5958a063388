import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProofGate } from '../../../accounts/portal/proof/ProofGate.tsx'
import { useProve } from '../../../accounts/portal/proof/prove.ts'
import type { StaffMember } from '../../../accounts/contract.ts'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { queryClient } from '../../../portal/live/query-client.ts'
import { useUser } from '../../../portal/session.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Confirm } from '../../../portal/ui/Confirm.tsx'
import { DataTable } from '../../../portal/ui/DataTable.tsx'
import { PageHeader, Section } from '../../../portal/ui/PageHeader.tsx'
import { staff, staffMembers } from '../api.ts'
import { fullName } from '../person.ts'
import { RoleMeanings } from './RoleMeanings.tsx'
import { RolesDialog } from './RolesDialog.tsx'
import { staffColumns } from './staff-columns.tsx'

type Act = { readonly kind: 'appoint' } | { readonly kind: 'change' | 'dismiss'; readonly member: StaffMember }

export const StaffPage = () => (
  <ProofGate>
    <Staff />
  </ProofGate>
)

function Staff() {
  const { data } = useSuspenseQuery(staffMembers())
  const user = useUser()
  const prove = useProve()
  const refusal = useDutyRefusal('owner')
  const [act, setAct] = useState<Act | null>(null)
  const begin = (wanted: Act) => void prove().then((proved) => proved && setAct(wanted))
  const close = () => setAct(null)
  const owners = data.staff.filter(({ roles }) => roles.includes('owner')).length
  const isLastOwner = (member: StaffMember) => owners === 1 && member.roles.includes('owner')
  const reread = () => queryClient.invalidateQueries({ queryKey: staffMembers().queryKey })
  return (
    <>
      <PageHeader
        title="Staff"
        summary={
          data.secondFactorRequired
            ? 'Roles and permissions. Staff must have two-factor authentication to open staff pages.'
            : 'Roles and permissions. Two-factor authentication is optional.'
        }
        actions={
          <Button look="primary" icon="plus" disabledReason={refusal} onClick={() => begin({ kind: 'appoint' })}>
            Add staff
          </Button>
        }
      />
      <DataTable
        label="Staff"
        columns={staffColumns({
          self: user?.id ?? 0,
          required: data.secondFactorRequired,
          refusal,
          isLastOwner,
          onChange: (member) => begin({ kind: 'change', member }),
          onDismiss: (member) => begin({ kind: 'dismiss', member }),
        })}
        rows={data.staff}
        rowKey={(member) => member.id}
      />
      <Section title="Roles" summary="All staff have read access. Roles can be combined.">
        <RoleMeanings />
      </Section>
      {(act?.kind === 'appoint' || act?.kind === 'change') && (
        <RolesDialog
          member={act.kind === 'change' ? act.member : null}
          mustOwn={act.kind === 'change' && isLastOwner(act.member)}
          onClose={close}
          onDone={reread}
        />
      )}
      {act?.kind === 'dismiss' && (
        <Confirm
          open
          danger
          onClose={close}
          title={`Remove staff access for ${fullName(act.member)}?`}
          consequences={[
            'They are signed out everywhere and lose access to staff pages.',
            'Their customer account and its resources are kept.',
            'We notify them by email.',
          ]}
          action="Remove access"
          onConfirm={async () => {
            await staff.call['DELETE /api/admin/staff/{id}']({ params: { id: act.member.id } })
            await reread()
          }}
        />
      )}
    </>
  )
}

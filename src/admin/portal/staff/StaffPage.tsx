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
            ? 'Who may see and decide what. A second factor is asked of everybody here: without one the screens of staff stay closed.'
            : 'Who may see and decide what. A second factor is not asked of anybody here.'
        }
        actions={
          <Button look="primary" icon="plus" disabledReason={refusal} onClick={() => begin({ kind: 'appoint' })}>
            Appoint
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
      <Section
        title="What the roles are for"
        summary="Reading is everybody's. Somebody who does the work of two holds both."
      >
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
          title={`Dismiss ${fullName(act.member)}?`}
          consequences={[
            'They are signed out everywhere, and the screens of staff are closed to them.',
            'Their account stays, with what it owns.',
            'A letter tells them.',
          ]}
          action="Dismiss"
          onConfirm={async () => {
            await staff.call['DELETE /api/admin/staff/{id}']({ params: { id: act.member.id } })
            await reread()
          }}
        />
      )}
    </>
  )
}

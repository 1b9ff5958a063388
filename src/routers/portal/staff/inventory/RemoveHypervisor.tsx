import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../../ui/components/Button.tsx'
import { Confirm } from '../../../../ui/components/Confirm.tsx'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'
import { staffRouters } from '../api.ts'

/** Removes a drained host without routers. */
export function RemoveHypervisor({ host: { id, name } }: { host: { readonly id: number; readonly name: string } }) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Button disabledReason={useMissingRoleReason('network')} onClick={() => setAsked(true)}>
        Remove
      </Button>
      <Confirm
        open={asked}
        onClose={() => setAsked(false)}
        title={`Remove ${name}`}
        consequences={['Its history of CPU, memory and traffic is deleted.', 'It can be added again.']}
        action="Remove hypervisor"
        danger
        onConfirm={async () => {
          await staffRouters.call['DELETE /api/admin/hypervisors/{id}']({ params: { id } })
          await navigate({ to: '/admin/inventory/hypervisors' })
          await rereadStaff()
        }}
      />
    </>
  )
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { Callout } from '../../../../ui/components/Callout.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import type { InventoryHypervisor } from '../../../inventory/contract.ts'
import { hypervisors } from '../api.ts'
import { ManagedTable } from '../../../../ui/table/ManagedTable.tsx'
import { FileLink } from '../../../../ui/staff/FileLink.tsx'
import { hypervisorColumns } from './hypervisor-columns.tsx'
import { HypervisorDialog } from './HypervisorDialog.tsx'
import { InventoryLayout } from './InventoryLayout.tsx'

/** The hosts, and what is allocated on each. */
export function HypervisorsPage() {
  const { data } = useSuspenseQuery(hypervisors())
  const blockedReason = useMissingRoleReason('network')
  /** A text is the suggested short name of a new host. */
  const [edited, setEdited] = useState<InventoryHypervisor | string | null>(null)
  const [unused] = data.unused
  const add = (
    <Button variant="primary" icon="plus" disabledReason={blockedReason} onClick={() => setEdited(unused ?? '')}>
      Add hypervisor
    </Button>
  )
  return (
    <InventoryLayout
      title="Hypervisors"
      summary="The hosts that routers run on, with allocated capacity."
      actions={add}
    >
      {unused !== undefined && (
        <div className="mb-4">
          <Callout tone="info" title={`An agent is waiting for ${unused}`}>
            It comes online when you add it here.
          </Callout>
        </div>
      )}
      <ManagedTable
        id="hypervisors"
        label="Hypervisors"
        columns={hypervisorColumns({ blockedReason, onEdit: setEdited })}
        rows={data.hypervisors}
        rowKey={(host) => host.id}
        tools={<FileLink path="/api/admin/hypervisors.csv" what="hypervisors" />}
        empty={
          <EmptyState icon="gauge" title="No hypervisors yet" action={add}>
            Routers need a host to run on. An agent on the host controls libvirt; here you set its site and size.
          </EmptyState>
        }
      />
      {edited !== null && <HypervisorDialog host={edited} onClose={() => setEdited(null)} />}
    </InventoryLayout>
  )
}

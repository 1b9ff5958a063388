import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { DataTable } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import type { StockHypervisor } from '../../../routers/stock/contract.ts'
import { hypervisors } from '../api.ts'
import { FileLink } from '../FileLink.tsx'
import { hypervisorColumns } from './hypervisor-columns.tsx'
import { HypervisorDialog } from './HypervisorDialog.tsx'
import { StockFrame } from './StockFrame.tsx'

/** The hosts, and what is sold of each. */
export function HypervisorsPage() {
  const { data } = useSuspenseQuery(hypervisors())
  const refusal = useDutyRefusal('network')
  /** A short name, or the beginning of one: a new one. */
  const [edited, setEdited] = useState<StockHypervisor | string | null>(null)
  const [unused] = data.unused
  const add = (
    <Button look="primary" icon="plus" disabledReason={refusal} onClick={() => setEdited(unused ?? '')}>
      Add hypervisor
    </Button>
  )
  return (
    <StockFrame title="Hypervisors" summary="The hosts that routers run on, with allocated capacity." actions={add}>
      {unused !== undefined && (
        <div className="mb-4">
          <Callout tone="info" title={`An agent is waiting for ${unused}`}>
            It was started with HYPERVISOR={unused} and connects as soon as you add it here.
          </Callout>
        </div>
      )}
      <DataTable
        label="Hypervisors"
        columns={hypervisorColumns({ refusal, onEdit: setEdited })}
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
    </StockFrame>
  )
}

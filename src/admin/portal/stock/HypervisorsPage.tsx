import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
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
  /** A slug: a new one. */
  const [edited, setEdited] = useState<StockHypervisor | string | null>(null)
  const [unused] = data.unused
  const add = (
    <Button
      look="primary"
      icon="plus"
      disabledReason={
        refusal ??
        (unused === undefined
          ? 'One portal drives one libvirt, the one that LIBVIRT_SOCKET names, and its hypervisor is here already.'
          : null)
      }
      onClick={() => setEdited(unused ?? null)}
    >
      Add hypervisor
    </Button>
  )
  return (
    <StockFrame title="Hypervisors" summary="The hosts that routers run on, and what is sold of each." actions={add}>
      <DataTable
        label="Hypervisors"
        columns={hypervisorColumns({ refusal, onEdit: setEdited })}
        rows={data.hypervisors}
        rowKey={(host) => host.id}
        tools={<FileLink path="/api/admin/hypervisors.csv" what="hypervisors" />}
        empty={
          <EmptyState icon="gauge" title="No hypervisors yet" action={add}>
            Routers need a host to run on. Its libvirt is named in the settings; here it gets a site and a size.
          </EmptyState>
        }
      />
      {edited !== null && <HypervisorDialog host={edited} onClose={() => setEdited(null)} />}
    </StockFrame>
  )
}

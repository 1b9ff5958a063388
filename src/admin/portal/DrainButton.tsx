import { useState } from 'react'
import { useDutyRefusal } from '../../portal/duty.ts'
import { HttpFailure } from '../../portal/http-failure.ts'
import { notify } from '../../portal/notifications.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { staff } from './api.ts'
import { distrustAnswers } from './apollo/client.ts'
import type { DetailedHypervisor } from './documents/hypervisor.ts'

/** Takes a host out of placement before it is worked on, and back in. What runs there goes on, so no question is asked. */
export function DrainButton({ hypervisor }: { hypervisor: DetailedHypervisor }) {
  const [busy, setBusy] = useState(false)
  const refusal = useDutyRefusal('network')
  const { databaseId: id, name, drained } = hypervisor
  const press = async () => {
    setBusy(true)
    try {
      await staff.call['PATCH /api/admin/hypervisors/{id}']({ params: { id }, body: { drained: !drained } })
      distrustAnswers()
      notify({
        type: 'success',
        title: drained ? `${name} takes new routers again` : `${name} takes no new routers`,
        body: drained ? 'It counts when a place is chosen.' : 'Those that run there go on.',
      })
    } catch (error) {
      // The transport has shown the refusal already.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} disabledReason={refusal} onClick={() => void press()}>
      {drained ? 'End draining' : 'Drain'}
    </Button>
  )
}

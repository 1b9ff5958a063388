import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { queryClient } from '../../../ui/live/query-client.ts'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import type { AdminTransitPrefix } from '../../contract.ts'
import { prefixWithOwner, staffTransit } from './api.ts'
import { lastDecision } from './decision-queue.ts'
import { DECISIONS } from './prefix-decisions.ts'

/** A decision that has not taken effect, or could not. It must not look done. */
export function HeldDecision({ prefix: { id, heldDecision: held } }: { prefix: AdminTransitPrefix }) {
  const [busy, setBusy] = useState(false)
  const missingRole = useMissingRoleReason('network')
  if (!held) return null
  const undo = async () => {
    setBusy(true)
    try {
      const after = await staffTransit.call['DELETE /api/admin/transit_prefixes/{id}/decision']({ params: { id } })
      queryClient.setQueryData(prefixWithOwner(id).queryKey, after)
      if (lastDecision.current()?.id === id) lastDecision.set(null)
    } catch (error) {
      // The client has already shown an HTTP error; any other error is a bug.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  const { label } = DECISIONS[held.action]
  if (held.failure !== null) {
    return (
      <Callout tone="warn" title={`“${label}” had no effect`}>
        {held.by} decided <Time at={held.decidedAt} />. {held.failure}
      </Callout>
    )
  }
  return (
    <Callout tone="info" title={`“${label}” takes effect in a moment`}>
      <span className="flex flex-wrap items-center gap-3">
        <span>
          {held.by} decided <Time at={held.decidedAt} />. The customer is notified when it takes effect.
        </span>
        <Button size="sm" busy={busy} disabledReason={missingRole} onClick={() => void undo()}>
          Undo decision
        </Button>
      </span>
    </Callout>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDutyRefusal } from '../../portal/duty.ts'
import type { CallOptions } from '../../portal/transport.ts'
import { HttpFailure } from '../../portal/http-failure.ts'
import { notify } from '../../portal/notifications.ts'
import { Button } from '../../portal/ui/Button.tsx'
import type { AdminTransitPrefix } from '../../transit/contract.ts'
import { STAFF_ACTIONS, type StaffAction } from '../../transit/states.ts'
import { prefixWithOwner, staff } from './api.ts'
import { distrustAnswers } from './apollo/client.ts'
import { DecisionDialog } from './DecisionDialog.tsx'
import { DECISIONS, decisionRefusal, isPlain } from './prefix-decisions.ts'

export function PrefixActions({ prefix }: { prefix: AdminTransitPrefix }) {
  const queries = useQueryClient()
  const [asked, setAsked] = useState<StaffAction | null>(null)
  const [busy, setBusy] = useState<StaffAction | null>(null)
  const refusal = useDutyRefusal('network')

  const decide = async (action: StaffAction, reason: string, options?: CallOptions) => {
    setBusy(action)
    try {
      const input = { params: { id: prefix.id }, body: reason === '' ? {} : { reason } }
      const after = await staff.call[`POST /api/admin/transit_prefixes/{id}/${action}`](input, options)
      queries.setQueryData(prefixWithOwner(prefix.id).queryKey, after)
      distrustAnswers()
      notify({ type: 'success', title: `${DECISIONS[action].done} ${prefix.value}`, body: after.edge.detail })
    } finally {
      setBusy(null)
    }
  }
  const press = (action: StaffAction) => {
    if (!isPlain(prefix, action)) return setAsked(action)
    // The transport has shown a refusal already; anything else is a fault of ours.
    decide(action, '').catch((error: unknown) => {
      if (!(error instanceof HttpFailure)) throw error
    })
  }
  return (
    <>
      {STAFF_ACTIONS.map((action) => (
        <Button
          key={action}
          look={action === 'approve' ? 'primary' : 'plain'}
          busy={busy === action}
          disabledReason={refusal ?? decisionRefusal(prefix, action)}
          onClick={() => press(action)}
        >
          {DECISIONS[action].label}
        </Button>
      ))}
      {asked && (
        <DecisionDialog
          prefix={prefix}
          action={asked}
          onClose={() => setAsked(null)}
          onDecide={(reason, options) => decide(asked, reason, options)}
        />
      )}
    </>
  )
}

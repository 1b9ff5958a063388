import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import type { CallOptions } from '../../../ui/runtime/transport.ts'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { Button } from '../../../ui/components/Button.tsx'
import type { AdminTransitPrefix } from '../../contract.ts'
import { STAFF_ACTIONS, UNDO_SECONDS, type StaffAction } from '../../states.ts'
import { prefixWithOwner, staffTransit } from './api.ts'
import { invalidateCache } from '../../../ui/graphql/client.ts'
import { DecisionDialog } from './DecisionDialog.tsx'
import { useKeys } from './DecisionQueue.tsx'
import { lastDecision, readNext, watchEffect } from './decision-queue.ts'
import { DECISIONS, decisionBlockedReason, isPlain } from './prefix-decisions.ts'

const NO_KEYS = {}

export function PrefixActions({ prefix, queue }: { prefix: AdminTransitPrefix; queue: boolean }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<StaffAction | null>(null)
  const [busy, setBusy] = useState<StaffAction | null>(null)
  const blockedReason = useMissingRoleReason('network')

  const decide = async (action: StaffAction, reason: string, options?: CallOptions) => {
    setBusy(action)
    try {
      const body = { ...(reason !== '' && { reason }), ...(queue && { undoable: true }) }
      const input = { params: { id: prefix.id }, body }
      const after = await staffTransit.call[`POST /api/admin/transit_prefixes/{id}/${action}`](input, options)
      queries.setQueryData(prefixWithOwner(prefix.id).queryKey, after)
      invalidateCache()
      if (queue) await leadOn(action, after)
      else if (action === 'approve' && after.status !== 'APPROVED') {
        notify({
          type: 'success',
          title: `First approval of ${prefix.value}`,
          body: 'A second person has to approve it.',
        })
      } else notify({ type: 'success', title: `${DECISIONS[action].done} ${prefix.value}`, body: after.edge.detail })
    } finally {
      setBusy(null)
    }
  }
  const leadOn = async (action: StaffAction, after: AdminTransitPrefix) => {
    const waiting = await readNext(prefix.id)
    const { id, value } = prefix
    const untilMs = UNDO_SECONDS * 1_000
    lastDecision.set({ id, value, action, until: Date.now() + untilMs, queue: waiting })
    watchEffect(after, untilMs)
    const { next } = waiting
    if (next) await navigate({ to: '/admin/prefixes/$id', params: { id: next.id }, search: { queue: 'pending' } })
  }
  const press = (action: StaffAction) => {
    if (!isPlain(prefix, action)) return setAsked(action)
    // The client has already shown an HTTP error; any other error is a bug.
    decide(action, '').catch((error: unknown) => {
      if (!(error instanceof HttpFailure)) throw error
    })
  }
  const pressKey = (action: StaffAction) => {
    const blocked = blockedReason ?? decisionBlockedReason(prefix, action)
    if (busy) return
    if (blocked === null) press(action)
    else notify({ type: 'info', title: `${DECISIONS[action].label} is not possible`, body: blocked })
  }
  useKeys(queue ? { a: () => pressKey('approve'), r: () => pressKey('reject') } : NO_KEYS)
  return (
    <>
      {STAFF_ACTIONS.map((action) => (
        <Button
          key={action}
          variant={action === 'approve' ? 'primary' : 'plain'}
          busy={busy === action}
          disabledReason={blockedReason ?? decisionBlockedReason(prefix, action)}
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

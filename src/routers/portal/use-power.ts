import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Router } from '../contract.ts'
import type { PowerAction } from '../states.ts'
import { routers } from './api.ts'
import { cacheRouter } from './deleted-router.ts'
import { POWER_BUTTON } from './router-labels.ts'

export interface Power {
  /** The action that awaits confirmation. */
  readonly asked: PowerAction | null
  /** The action being sent. */
  readonly busy: PowerAction | null
  /** Sends the action at once, or asks first when it is disruptive. */
  readonly press: (action: PowerAction) => void
  readonly confirm: () => Promise<void>
  readonly cancel: () => void
}

export function usePower(router: Pick<Router, 'id' | 'state'>): Power {
  const queries = useQueryClient()
  const [asked, setAsked] = useState<PowerAction | null>(null)
  const [busy, setBusy] = useState<PowerAction | null>(null)
  const send = async (action: PowerAction) => {
    setBusy(action)
    try {
      const input = { params: { id: router.id }, body: { action } }
      cacheRouter(queries, await routers.call['POST /api/virtual_machines/{id}/actions'](input))
    } finally {
      setBusy(null)
    }
  }
  return {
    asked,
    busy,
    press: (action) => {
      if (POWER_BUTTON[action].consequences) setAsked(action)
      else void send(action)
    },
    confirm: async () => {
      if (asked) await send(asked)
    },
    cancel: () => setAsked(null),
  }
}

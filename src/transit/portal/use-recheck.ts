import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TransitPrefix } from '../contract.ts'
import { ownPrefixes, transit } from './api.ts'

/** Checks RPKI and the IRR again. The results arrive with a change event. */
export function useRecheck(id: number): { busy: boolean; ask: () => Promise<void> } {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      const prefix = await transit.call['POST /api/transit_prefixes/{id}/check']({ params: { id } })
      queries.setQueryData<readonly TransitPrefix[]>(ownPrefixes().queryKey, (known) =>
        known?.map((one) => (one.id === id ? prefix : one)),
      )
    } finally {
      setBusy(false)
    }
  }
  return { busy, ask }
}

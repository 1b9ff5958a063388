import { useQueryClient } from '@tanstack/react-query'
import type { TransitConnection } from '../../contract.ts'
import { ownConnection } from '../api.ts'

/** Shows the connection that the call answers with. What it refuses is shown like any failed call. */
export function useConnectionAction() {
  const queries = useQueryClient()
  return async (call: () => Promise<TransitConnection>) => {
    queries.setQueryData(ownConnection().queryKey, await call())
  }
}

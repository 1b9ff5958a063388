import { useQueryClient } from '@tanstack/react-query'
import type { TransitConnection } from '../../contract.ts'
import { ownConnection } from '../api.ts'

/** Shows the connection that the request returns. Errors are shown as for any failed request. */
export function useConnectionAction() {
  const queries = useQueryClient()
  return async (call: () => Promise<TransitConnection>) => {
    queries.setQueryData(ownConnection().queryKey, await call())
  }
}

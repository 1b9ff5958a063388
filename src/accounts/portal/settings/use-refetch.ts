import { useQueryClient } from '@tanstack/react-query'
import type { AccountsApi } from '../../contract.ts'

/** News come by themselves; who has just pressed a button should not have to wait for them. */
export function useReread(...keys: (keyof AccountsApi)[]): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })))
  }
}

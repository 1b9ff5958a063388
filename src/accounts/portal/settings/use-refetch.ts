import { useQueryClient } from '@tanstack/react-query'
import type { AccountsApi } from '../../contract.ts'

/**
 * Returns a function that refetches at once. Change events would do so too, but a user who just clicked should not
 * wait.
 */
export function useReread(...keys: (keyof AccountsApi)[]): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })))
  }
}

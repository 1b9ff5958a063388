import { useState } from 'react'
import { HttpFailure } from '../runtime/http-failure.ts'
import { queryClient } from '../live/query-client.ts'
import { notify } from '../runtime/notifications.ts'
import { invalidateCache } from '../graphql/client.ts'

/** All answers of staff may be old after a change: news say so too, but later than the one who made it looks. */
export async function rereadStaff(): Promise<void> {
  invalidateCache()
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => typeof queryKey[0] === 'string' && queryKey[0].startsWith('GET /api/admin/'),
  })
}

/** A deed of one press: busy while it is under way, told when it is done. */
export function useAction() {
  const [busy, setBusy] = useState<number | null>(null)
  const runAction = async (id: number, action: () => Promise<unknown>, done: string, body?: string): Promise<void> => {
    setBusy(id)
    try {
      await action()
      await rereadStaff()
      notify({ type: 'success', title: done, ...(body !== undefined && { body }) })
    } catch (error) {
      // The transport has shown a refusal already; anything else is a fault of ours.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      setBusy(null)
    }
  }
  return { busy, runAction: (...action: Parameters<typeof runAction>): void => void runAction(...action) }
}

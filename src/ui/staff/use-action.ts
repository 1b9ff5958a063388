import { useState } from 'react'
import { HttpFailure } from '../runtime/http-failure.ts'
import { queryClient } from '../live/query-client.ts'
import { notify } from '../runtime/notifications.ts'
import { invalidateCache } from '../graphql/client.ts'

/**
 * Any response for staff may be stale after a change. Change events say so too, but later than the author of the change
 * looks.
 */
export async function rereadStaff(): Promise<void> {
  invalidateCache()
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => typeof queryKey[0] === 'string' && queryKey[0].startsWith('GET /api/admin/'),
  })
}

/** Runs an action of one press: busy while in progress, with a notification when done. */
export function useAction() {
  const [busy, setBusy] = useState<number | null>(null)
  const runAction = async (id: number, action: () => Promise<unknown>, done: string, body?: string): Promise<void> => {
    setBusy(id)
    try {
      await action()
      await rereadStaff()
      notify({ type: 'success', title: done, ...(body !== undefined && { body }) })
    } catch (error) {
      // The transport has already shown an error response; anything else is a fault of ours.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      setBusy(null)
    }
  }
  return { busy, runAction: (...action: Parameters<typeof runAction>): void => void runAction(...action) }
}

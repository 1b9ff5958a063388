import { useState } from 'react'
import { HttpFailure } from '../../portal/http-failure.ts'
import { queryClient } from '../../portal/live/query-client.ts'
import { notify } from '../../portal/notifications.ts'
import { distrustAnswers } from './apollo/client.ts'

/** All answers of staff may be old after a change: news say so too, but later than the one who made it looks. */
export async function rereadStaff(): Promise<void> {
  distrustAnswers()
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => typeof queryKey[0] === 'string' && queryKey[0].startsWith('GET /api/admin/'),
  })
}

/** A deed of one press: busy while it is under way, told when it is done. */
export function useDeed() {
  const [busy, setBusy] = useState<number | null>(null)
  const act = async (id: number, deed: () => Promise<unknown>, done: string, body?: string): Promise<void> => {
    setBusy(id)
    try {
      await deed()
      await rereadStaff()
      notify({ type: 'success', title: done, ...(body !== undefined && { body }) })
    } catch (error) {
      // The transport has shown a refusal already; anything else is a fault of ours.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      setBusy(null)
    }
  }
  return { busy, act: (...deed: Parameters<typeof act>): void => void act(...deed) }
}

/** What the operator has to say to everybody who is signed in. */
import type { SiteContentApi } from '../../admin/site-content/contract.ts'
import { createClient } from '../runtime/client.ts'
import { queryClient } from '../live/query-client.ts'

const { query } = createClient<Pick<SiteContentApi, 'GET /api/notice'>>({
  topics: { 'GET /api/notice': ['notice', 'user'] },
})

export const operatorNotice = () => query['GET /api/notice']()
export type OperatorNotice = NonNullable<Awaited<ReturnType<ReturnType<typeof operatorNotice>['queryFn']>>['notice']>

/** A screen does not wait for words that concern it so little; what comes later moves nothing. */
const WAIT_MS = 1_000

/** Beside the screen's own loader, so that the notice has its place from the first picture on. */
export async function loadNotice(): Promise<void> {
  const asked = queryClient.ensureQueryData(operatorNotice()).catch(() => undefined)
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, WAIT_MS))])
}

/** The operator's notice to all signed-in users. */
import type { SiteContentApi } from '../../admin/site-content/contract.ts'
import { createClient } from '../runtime/client.ts'
import { queryClient } from '../live/query-client.ts'

const { query } = createClient<Pick<SiteContentApi, 'GET /api/notice'>>({
  topics: { 'GET /api/notice': ['notice', 'user'] },
})

export const operatorNotice = () => query['GET /api/notice']()
export type OperatorNotice = NonNullable<Awaited<ReturnType<ReturnType<typeof operatorNotice>['queryFn']>>['notice']>

/** A page does not wait longer for a notice; one that arrives later moves nothing. */
const WAIT_MS = 1_000

/** Runs with the page's own loader, so that the notice has its space from the first paint. */
export async function loadNotice(): Promise<void> {
  const asked = queryClient.ensureQueryData(operatorNotice()).catch(() => undefined)
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, WAIT_MS))])
}

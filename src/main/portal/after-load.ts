/** What draws nothing and may come after the first paint: no part of the first load (docs/decisions/0012). */
import type { AnyRouter } from '@tanstack/react-router'
import { offerStaffTools } from '../../observability/portal/staff-tools.ts'
import { announceRoutes } from '../../ui/runtime/announce-route.ts'
import { sendReport } from '../../ui/runtime/error-service.ts'
import { watchRelease } from '../../ui/runtime/release-notice.ts'
import { sendReportsTo } from '../../ui/runtime/report-error.ts'
import { restoreFocus } from '../../ui/runtime/restore-focus.ts'
import { loadNotAnswering } from '../../ui/screens/PendingScreen.tsx'
import { fetchNextScreens } from './next-screens.ts'

export function afterLoad(router: AnyRouter): void {
  sendReportsTo(sendReport)
  watchRelease(() => location.reload())
  announceRoutes(router)
  restoreFocus()
  offerStaffTools(() => import('../../observability/portal/profiles.ts'))
  // Once the server does not answer, what says so could no longer be fetched.
  loadNotAnswering().catch(() => undefined)
  fetchNextScreens(router)
}

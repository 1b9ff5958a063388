/** Code that draws nothing and can load after the first paint, outside the first load (docs/decisions/0012). */
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
  // Loaded early: once the server stops answering, the screen that says so could not be fetched.
  loadNotAnswering().catch(() => undefined)
  fetchNextScreens(router)
}

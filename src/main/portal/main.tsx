import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../../observability/portal/named-requests.ts'
import { failureText } from '../../ui/runtime/error-catalogue.ts'
import { clearNotifications, notify } from '../../ui/runtime/notifications.ts'
import { router } from './router.tsx'
import { watchForSessionEnd } from '../../ui/runtime/session.ts'
import { catchUncaught } from '../../ui/runtime/uncaught.ts'
import { setNextTitle } from '../../ui/runtime/title.ts'
import { findUnshownReads } from '../../ui/runtime/unshown-reads.ts'

catchUncaught(window)
// Guards run again and lead to the sign-in screen, with the way back in hand.
watchForSessionEnd(async () => {
  await router.invalidate()
  // On the way there notifications were cleared: without this one nobody would know why they are there.
  notify({ type: 'error', ...failureText(401), detail: 'Your session has ended. Sign in to continue.' })
})
// In the order in which the screens that did not come were asked for.
let unshown: (() => void)[] = []
router.subscribe('onBeforeNavigate', ({ pathChanged, hrefChanged, fromLocation, toLocation }) => {
  if (pathChanged) setNextTitle(router.getMatchedRoutes(toLocation.pathname)[0])
  if (pathChanged && fromLocation) clearNotifications()
  if (hrefChanged) unshown.push(findUnshownReads())
})
router.subscribe('onResolved', () => {
  for (const callOff of unshown) callOff()
  unshown = []
  setNextTitle([])
})

// The screen's code comes while the guards still ask who this is.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  void router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
}

const place = document.getElementById('portal')
if (!place) throw new Error('index.html has no element #portal')
createRoot(place).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)

// After the first paint, what draws nothing. What fails earlier waits in the page.
window.addEventListener('load', () => {
  import('./after-load.ts').then(
    ({ afterLoad }) => afterLoad(router),
    () => undefined,
  )
})

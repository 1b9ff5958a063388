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
// Guards run again and redirect to the sign-in screen, with the path to return to.
watchForSessionEnd(async () => {
  await router.invalidate()
  // The redirect clears notifications, so show this one afterwards: it explains why the user has to sign in.
  notify({ type: 'error', ...failureText(401), detail: 'Your session has ended. Sign in to continue.' })
})
// In the order in which the missing screens were requested.
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

// Fetches the screen's code while the guards still load the user.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  void router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
}

const place = document.getElementById('portal')
if (!place) throw new Error('index.html has no #portal')
createRoot(place).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)

// Code that draws nothing runs after the first paint. Earlier failures wait in the page.
window.addEventListener('load', () => {
  import('./after-load.ts').then(
    ({ afterLoad }) => afterLoad(router),
    () => undefined,
  )
})

import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { clearNotifications } from './notifications.ts'
import { watchRelease } from './release-notice.ts'
import { router } from './router.tsx'
import { watchForSessionEnd } from './session.ts'
import { catchUncaught } from './uncaught.ts'

catchUncaught(window)
watchRelease(() => location.reload())
// Guards run again and lead to the sign-in screen, with the way back in hand.
watchForSessionEnd(() => void router.invalidate())
router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
  if (pathChanged && fromLocation) clearNotifications()
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

import {
  type AnyRouteMatch,
  type AnyRouter,
  createRootRoute,
  Link,
  Outlet,
  useMatches,
  useRouter,
} from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { dismissNotification, notifications } from '../ui/runtime/notifications.ts'
import { titleBefore, useRouteTitle } from '../ui/runtime/title.ts'

const fetchToasts = () => import('../ui/components/Toasts.tsx')
const Toasts = lazy(async () => ({ default: (await fetchToasts()).Toasts }))

export const Route = createRootRoute({ component: Root })

function Root() {
  const router = useRouter()
  useRouteTitle(useMatches({ select: (matches) => titleOf(matches, router) }))
  const toasts = useSyncExternalStore(notifications.subscribe, notifications.current)
  const hasToasts = useToastsFetched(toasts.length > 0)
  return (
    <>
      <Outlet />
      {hasToasts && (
        <Suspense>
          <Toasts toasts={toasts} onDismiss={dismissNotification} Link={Link} />
        </Suspense>
      )}
      <output id="route-announcer" className="sr-only" />
    </>
  )
}

/**
 * Fetches the toasts once the page has loaded, so that a lost network can still be reported; at once where there is one
 * to show. A failed fetch is tried again with the next notification.
 */
function useToastsFetched(atOnce: boolean): boolean {
  const [fetched, setFetched] = useState(false)
  useEffect(() => {
    if (fetched) return
    const load = () =>
      void fetchToasts().then(
        () => setFetched(true),
        () => undefined,
      )
    if (atOnce || document.readyState === 'complete') return load()
    addEventListener('load', load, { once: true })
    return () => removeEventListener('load', load)
  }, [fetched, atOnce])
  return fetched
}

/**
 * Returns the title of the innermost route that has one. It appears before the page does, whatever its layout still
 * waits for.
 */
const titleOf = (matches: readonly Pick<AnyRouteMatch, 'meta' | 'routeId'>[], router: AnyRouter): string | undefined =>
  matches
    .map(({ meta, routeId }) => meta?.find((entry) => entry?.title)?.title ?? titleBefore(router.routesById[routeId]))
    .findLast((title) => title !== undefined)

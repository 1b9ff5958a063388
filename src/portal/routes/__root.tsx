import { type AnyRouteMatch, createRootRoute, Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { announceRoutes } from '../announce-route.ts'
import { dismissNotification, notifications } from '../notifications.ts'
import { useRouteTitle } from '../title.ts'
import { Toasts } from '../ui/Toasts.tsx'

export const Route = createRootRoute({ component: Root })

function Root() {
  const router = useRouter()
  useRouteTitle(useMatches({ select: titleOf }))
  const announcer = useRef<HTMLOutputElement>(null)
  const toasts = useSyncExternalStore(notifications.subscribe, notifications.current)
  useEffect(() => (announcer.current ? announceRoutes(router, announcer.current) : undefined), [router])
  return (
    <>
      <Outlet />
      <Toasts toasts={toasts} onDismiss={dismissNotification} />
      <output ref={announcer} className="sr-only" />
    </>
  )
}

/** The innermost route that has one. */
const titleOf = (matches: readonly Pick<AnyRouteMatch, 'meta'>[]): string | undefined =>
  matches.flatMap(({ meta }) => meta?.flatMap((entry) => entry?.title ?? []) ?? []).at(-1)

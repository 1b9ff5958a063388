import { type AnyRouteMatch, createRootRoute, Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { announceRoutes } from '../announce-route.ts'
import { dismissNotification, notifications } from '../notifications.ts'
import { pageTitle, useRouteTitle } from '../title.ts'
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

/** The innermost route that has one. It stands before the screen does, whatever around the screen is still waited for. */
const titleOf = (matches: readonly Pick<AnyRouteMatch, 'meta' | 'staticData'>[]): string | undefined =>
  matches
    .flatMap(({ meta, staticData }) => meta?.flatMap((entry) => entry?.title ?? []) ?? unknownTitle(staticData))
    .at(-1)

const unknownTitle = ({ unknownAs }: AnyRouteMatch['staticData']): readonly string[] =>
  unknownAs === undefined ? [] : [pageTitle(unknownAs)]

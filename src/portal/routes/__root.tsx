import { createRootRoute, HeadContent, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { announceRoutes } from '../announce-route.ts'
import { dismissNotification, notifications } from '../notifications.ts'
import { Toasts } from '../ui/Toasts.tsx'

export const Route = createRootRoute({ component: Root })

function Root() {
  const router = useRouter()
  const announcer = useRef<HTMLOutputElement>(null)
  const toasts = useSyncExternalStore(notifications.subscribe, notifications.current)
  useEffect(() => (announcer.current ? announceRoutes(router, announcer.current) : undefined), [router])
  return (
    <>
      <HeadContent />
      <Outlet />
      <Toasts toasts={toasts} onDismiss={dismissNotification} />
      <output ref={announcer} className="sr-only" />
    </>
  )
}

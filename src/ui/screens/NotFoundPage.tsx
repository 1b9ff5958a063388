import { useEffect } from 'react'
import { failureText } from '../runtime/error-catalogue.ts'
import { clearNotifications, dismissNotification, notifications } from '../runtime/notifications.ts'
import { StandaloneLayout } from './StandaloneLayout.tsx'
import { MessageScreen } from './MessageScreen.tsx'

/** The thing is absent, or belongs to another account: the two look the same on purpose. */
export function NotFoundPage() {
  useEffect(() => {
    clearNotifications()
    return notifications.subscribe(clearNotFound)
  }, [])
  return (
    <MessageScreen title="Page Not Found" code="404">
      <p>Oops! The page you&apos;re looking for doesn&apos;t exist.</p>
    </MessageScreen>
  )
}

/** This page already says so. Further requests, or a preload that came after the click, add no notification. */
function clearNotFound(): void {
  const { title } = failureText(404)
  for (const shown of notifications.current()) if (shown.title === title) dismissNotification(shown.id)
}

/** The same page outside the app frame. */
export const NotFoundScreen = () => (
  <StandaloneLayout>
    <NotFoundPage />
  </StandaloneLayout>
)

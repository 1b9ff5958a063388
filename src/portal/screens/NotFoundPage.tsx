import { useEffect } from 'react'
import { failureWords } from '../error-catalogue.ts'
import { clearNotifications, dismissNotification, notifications } from '../notifications.ts'
import { LooseScreen } from './LooseScreen.tsx'
import { MessageScreen } from './MessageScreen.tsx'

/** Absent, or not yours to see: the two look the same on purpose. */
export function NotFoundPage() {
  useEffect(() => {
    clearNotifications()
    return notifications.subscribe(dropAbsence)
  }, [])
  return (
    <MessageScreen title="Page Not Found" code="404">
      <p>Oops! The page you&apos;re looking for doesn&apos;t exist.</p>
    </MessageScreen>
  )
}

/** This page says it already: of what was asked for besides, or by a preload that came after the click, nothing is added. */
function dropAbsence(): void {
  const { title } = failureWords(404)
  for (const shown of notifications.current()) if (shown.title === title) dismissNotification(shown.id)
}

/** The same where no frame surrounds it. */
export const NotFoundScreen = () => (
  <LooseScreen>
    <NotFoundPage />
  </LooseScreen>
)

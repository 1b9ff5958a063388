import { useEffect } from 'react'
import { clearNotifications } from '../notifications.ts'
import { LooseScreen } from './LooseScreen.tsx'
import { MessageScreen } from './MessageScreen.tsx'

/** Absent, or not yours to see: the two look the same on purpose. */
export function NotFoundPage() {
  useEffect(clearNotifications, [])
  return (
    <MessageScreen title="Page Not Found" code="404">
      <p>Oops! The page you&apos;re looking for doesn&apos;t exist.</p>
    </MessageScreen>
  )
}

/** The same where no frame surrounds it. */
export const NotFoundScreen = () => (
  <LooseScreen>
    <NotFoundPage />
  </LooseScreen>
)

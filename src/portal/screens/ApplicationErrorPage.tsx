import { MessageScreen } from './MessageScreen.tsx'

export const ApplicationErrorPage = () => (
  <MessageScreen title="Application Error" code="500">
    <p>This page is not available right now, please try again later. We have been notified of this error.</p>
  </MessageScreen>
)

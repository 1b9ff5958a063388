import { Button } from '../components/Button.tsx'
import { StandaloneLayout } from './StandaloneLayout.tsx'
import { MessageScreen } from './MessageScreen.tsx'

export const ServiceUnavailablePage = () => (
  <StandaloneLayout>
    <MessageScreen
      title="Service Unavailable"
      code="502"
      action={
        <Button variant="primary" icon="refresh" onClick={() => location.assign('/')}>
          Try again
        </Button>
      }
    >
      <p>The portal cannot be reached at the moment. Your routers and sessions do not depend on it and keep running.</p>
    </MessageScreen>
  </StandaloneLayout>
)

import { Button } from '../ui/Button.tsx'
import { LooseScreen } from './LooseScreen.tsx'
import { MessageScreen } from './MessageScreen.tsx'

export const ServiceUnavailablePage = () => (
  <LooseScreen>
    <MessageScreen
      title="Service Unavailable"
      code="502"
      action={
        <Button look="primary" icon="refresh" onClick={() => location.assign('/')}>
          Try again
        </Button>
      }
    >
      <p>The portal cannot be reached at the moment. Your routers and sessions do not depend on it and keep running.</p>
    </MessageScreen>
  </LooseScreen>
)

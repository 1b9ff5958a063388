import { Button } from '../components/Button.tsx'
import { MessageScreen } from './MessageScreen.tsx'

/** `reference`: the id of the failed request, so that support finds it. */
export const ApplicationErrorPage = ({ reference = null }: { reference?: string | null }) => (
  <MessageScreen
    title="Application Error"
    code="500"
    action={
      <Button variant="primary" icon="refresh" onClick={() => location.reload()}>
        Try again
      </Button>
    }
  >
    <p>This page is not available right now, please try again later. We have been notified of this error.</p>
    {reference && <p className="mt-3 font-mono text-xs text-faint wrap-anywhere">Request {reference}</p>}
  </MessageScreen>
)

import { useRouter } from '@tanstack/react-router'
import { Button } from '../components/Button.tsx'
import { findUnshownReads } from '../runtime/unshown-reads.ts'

/** Replaces a page's skeleton after too long a wait. */
export default function NotAnswering({ onRetry }: { onRetry: () => void }) {
  const router = useRouter()
  const retry = () => {
    onRetry()
    // Sends new requests: joining the unanswered ones would only wait longer.
    findUnshownReads()()
    void router.invalidate()
  }
  return (
    <div role="alert" className="grid min-h-[50dvh] place-content-center justify-items-center gap-3 px-4 text-center">
      <p className="text-lg font-semibold">The server is not answering</p>
      <p className="max-w-[44ch] text-dim">
        The page is still waiting for its data. Your routers and sessions do not depend on the portal.
      </p>
      <Button variant="primary" icon="refresh" onClick={retry}>
        Retry
      </Button>
    </div>
  )
}

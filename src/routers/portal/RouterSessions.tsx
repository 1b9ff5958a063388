import { Link } from '@tanstack/react-router'
import { Section } from '../../ui/components/PageHeader.tsx'
import type { RouterDetail } from '../contract.ts'
import { SessionTable } from './SessionTable.tsx'

export function RouterSessions({ router }: { router: RouterDetail }) {
  return (
    <Section
      title="BGP sessions"
      actions={
        <Link to="/transit" className="link text-sm">
          IP Transit
        </Link>
      }
    >
      {router.sessions.length > 0 ? (
        <SessionTable sessions={router.sessions} isRunning={router.state === 'RUNNING'} />
      ) : (
        <p className="rounded-md border border-dashed border-line-strong px-3 py-3 text-sm text-dim">
          This router has no BGP sessions.{' '}
          <Link to="/transit" className="link">
            Select it for your connection
          </Link>{' '}
          to configure both sessions with our edge automatically.
        </p>
      )}
    </Section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Section } from '../../ui/components/PageHeader.tsx'
import { ownConnection } from '../../transit/portal/api.ts'
import { IntendedState } from '../../transit/portal/controls/ControlNotices.tsx'
import type { RouterDetail } from '../contract.ts'
import { SessionTable } from './SessionTable.tsx'

export function RouterSessions({ router }: { router: RouterDetail }) {
  const { data: connection } = useQuery(ownConnection())
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
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {connection?.router?.id === router.id && <IntendedState connection={connection} />}
          <SessionTable sessions={router.sessions} isRunning={router.state === 'RUNNING'} />
        </div>
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

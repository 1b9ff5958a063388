import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadedSection, type SectionHead } from '../../../ui/screens/LoadedSection.tsx'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { Session } from '../../contract.ts'
import { accounts } from '../api.ts'
import { describeBrowser } from '../../../kernel/user-agent.ts'
import { useReread } from './use-refetch.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

const HEAD: SectionHead = {
  title: 'Sessions',
  summary: 'Where you are signed in. Don’t recognize a session? End it, then change your password.',
}

export const Sessions = () => (
  <LoadedSection head={HEAD} loading={<TableSkeleton rows={1} />}>
    <OwnSessions />
  </LoadedSection>
)

function OwnSessions() {
  const { data } = useSuspenseQuery(accounts.query['GET /api/sessions']())
  const reread = useReread('GET /api/sessions')
  const [endsOthers, setEndsOthers] = useState(false)
  const [ending, setEnding] = useState<number | null>(null)
  const end = async ({ id }: Session) => {
    setEnding(id)
    try {
      await accounts.call['DELETE /api/sessions/{id}']({ params: { id } })
      await reread()
    } finally {
      setEnding(null)
    }
  }
  return (
    <Section
      {...HEAD}
      actions={
        <Button
          disabledReason={data.length > 1 ? null : 'There are no other sessions.'}
          onClick={() => setEndsOthers(true)}
        >
          End all others
        </Button>
      }
    >
      <DataTable
        label="Sessions"
        columns={columns(ending, (session) => void end(session))}
        rows={data}
        rowKey={(session) => session.id}
      />
      <Confirm
        open={endsOthers}
        onClose={() => setEndsOthers(false)}
        title="End all other sessions?"
        consequences={['All other browsers have to sign in again.', 'API tokens keep working.']}
        action="End all others"
        danger
        onConfirm={async () => {
          await accounts.call['DELETE /api/sessions']()
          await reread()
        }}
      />
    </Section>
  )
}

const columns = (ending: number | null, onEnd: (session: Session) => void): Column<Session>[] => [
  {
    id: 'browser',
    header: 'Browser',
    cell: (session) => (
      <span className="inline-flex flex-wrap items-center gap-2 font-medium" title={session.userAgent}>
        {describeBrowser(session.userAgent)}
        {session.current && <StatusBadge tone="ok">This session</StatusBadge>}
      </span>
    ),
  },
  { id: 'ip', header: 'Address', cell: (session) => <span className="num font-mono text-sm">{session.ip}</span> },
  { id: 'seen', header: 'Last seen', cell: (session) => <Time at={session.lastSeenAt} /> },
  { id: 'began', header: 'Signed in', cell: (session) => <Time at={session.createdAt} />, wideOnly: true },
  actionsColumn((session) => (
    <Button
      size="sm"
      busy={ending === session.id}
      disabledReason={session.current ? 'This is your current session. Use Sign out.' : null}
      onClick={() => onEnd(session)}
    >
      End
    </Button>
  )),
]

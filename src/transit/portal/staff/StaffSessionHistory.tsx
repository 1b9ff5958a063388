import { useQuery } from '@tanstack/react-query'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { OutageList, STRIPS_MOVE_MS } from '../SessionHistory.tsx'
import { sessionOutagesOf } from './api.ts'

/** The history of a customer's sessions, whichever router carried the connection. */
export function StaffSessionHistory({ userId }: { userId: number }) {
  const { data, dataUpdatedAt } = useQuery({ ...sessionOutagesOf(userId), refetchInterval: STRIPS_MOVE_MS })
  if (!data || data.sessions.length === 0) return null
  return (
    <Section title="Session history" summary="Of the customer’s connection, whichever router carried it.">
      <OutageList sessions={data.sessions} now={dataUpdatedAt} readBy="staff" />
    </Section>
  )
}

import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import type { UserType } from './user-list-variables.ts'

const LABELS: Readonly<Record<UserType | 'all', { readonly title: string; readonly text: string }>> = {
  recent: {
    title: 'No new users since yesterday',
    text: 'Users who signed up since the start of yesterday appear here.',
  },
  paying: {
    title: 'No paying users yet',
    text: 'Users with a valid payment method appear here. Only they can place orders.',
  },
  suspended: {
    title: 'No suspended users',
    text: 'Users whom staff suspended, and those suspended for not paying, appear here.',
  },
  all: { title: 'No users yet', text: 'New users appear here, newest first.' },
}

export function NoUsers({ type }: { type: UserType | undefined }) {
  const { title, text } = LABELS[type ?? 'all']
  return (
    <EmptyState icon="users" title={title}>
      {text}
    </EmptyState>
  )
}

import { EmptyState } from '../../portal/ui/EmptyState.tsx'
import type { UserType } from './list-variables.ts'

const WORDS: Readonly<Record<UserType | 'all', { readonly title: string; readonly text: string }>> = {
  recent: { title: 'Nobody new since yesterday', text: 'Users who signed up since the start of yesterday stand here.' },
  paying: { title: 'Nobody pays yet', text: 'Users with a valid payment method stand here: only they can order.' },
  all: { title: 'No users yet', text: 'Whoever signs up stands here, newest first.' },
}

export function NoUsers({ type }: { type: UserType | undefined }) {
  const { title, text } = WORDS[type ?? 'all']
  return (
    <EmptyState icon="users" title={title}>
      {text}
    </EmptyState>
  )
}

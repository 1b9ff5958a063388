import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { Menu } from '../../../ui/components/Menu.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { QueueEntry } from '../../queues/contract.ts'
import type { QueueName } from '../../queues/names.ts'
import { UserLink } from '../../../accounts/portal/staff/UserLink.tsx'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

interface MailActions {
  readonly blockedReason: string | null
  readonly onMail: (id: number, action: 'retry' | 'dismiss') => void
}

export const queueColumns = (
  queue: QueueName,
  { blockedReason, onMail }: MailActions,
): readonly Column<QueueEntry>[] => [
  { id: 'title', header: 'What', cell: (entry) => nameOf(queue, entry) },
  {
    id: 'detail',
    header: MONEY[queue] ?? 'Why',
    cell: ({ detail }) => <span className="text-sm wrap-anywhere">{detail}</span>,
  },
  {
    id: 'user',
    header: 'User',
    cell: ({ user }) => (user ? <UserLink id={user.id} user={user} /> : <EmptyValue />),
  },
  { id: 'at', header: 'Since', cell: ({ at }) => <Time at={at} /> },
  ...(queue === 'mails_failed'
    ? [
        actionsColumn(({ id, title }) => (
          <Menu
            label={`Actions for ${title}`}
            entries={[
              {
                label: 'Send again',
                icon: 'refresh',
                disabledReason: blockedReason,
                onSelect: () => onMail(id, 'retry'),
              },
              {
                label: 'Dismiss',
                icon: 'check',
                disabledReason: blockedReason,
                onSelect: () => onMail(id, 'dismiss'),
              },
            ]}
          />
        )) satisfies Column<QueueEntry>,
      ]
    : []),
]

/** What the amount means in each queue. */
const MONEY: Partial<Readonly<Record<QueueName, string>>> = { invoices_overdue: 'Open', payments_disputed: 'Amount' }

/** Links to the page where the item can be handled, if there is one. */
function nameOf(queue: QueueName, { id, title, user }: QueueEntry): ReactNode {
  switch (queue) {
    case 'asn_verifications':
      return (
        <Link to="/admin/users/$id/asn_verifications/new" params={{ id }} className="row-link num font-mono">
          {title}
        </Link>
      )
    case 'routers_failed':
      return (
        <Link to="/admin/routers/$id" params={{ id }} className="row-link">
          {title}
        </Link>
      )
    case 'prefixes_pending':
    case 'prefixes_needing_action':
    case 'prefixes_ending':
      return (
        <Link to="/admin/prefixes/$id" params={{ id }} className="row-link num font-mono">
          {title}
        </Link>
      )
    case 'second_factor_resets':
      return user ? (
        <Link to="/admin/users/$id" params={{ id: user.id }} className="row-link">
          {title}
        </Link>
      ) : (
        title
      )
    case 'invoices_overdue':
    case 'payments_disputed':
      return user ? (
        <Link to="/admin/users/$id/billing" params={{ id: user.id }} className="row-link">
          {title}
        </Link>
      ) : (
        title
      )
    case 'mails_failed':
    case 'route_limits':
    case 'edges_failing':
    case 'hypervisors_unreachable':
      return title
  }
}

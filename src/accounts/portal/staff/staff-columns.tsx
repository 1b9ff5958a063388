import { Link } from '@tanstack/react-router'
import { ROLES } from '../../../kernel/required-role.ts'
import type { StaffMember } from '../../contract.ts'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { Menu } from '../../../ui/components/Menu.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { fullName } from './user-name.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

export interface StaffTable {
  readonly self: number
  /** True if staff must have a second factor. */
  readonly required: boolean
  /** Why the current user cannot change anything here; null if they can. */
  readonly blockedReason: string | null
  readonly isLastOwner: (member: StaffMember) => boolean
  readonly onChange: (member: StaffMember) => void
  readonly onRevoke: (member: StaffMember) => void
}

export const staffColumns = (table: StaffTable): readonly Column<StaffMember>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (member) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <Link to="/admin/users/$id" params={{ id: member.id }} className="row-link font-medium">
          {fullName(member)}
        </Link>
        {member.id === table.self && <span className="text-sm text-faint">you</span>}
      </span>
    ),
    sort: fullName,
  },
  { id: 'email', header: 'Email', cell: (member) => <span className="text-sm wrap-anywhere">{member.email}</span> },
  {
    id: 'roles',
    header: 'Roles',
    cell: (member) => <span className="text-sm">{member.roles.map((role) => ROLES[role].label).join(', ')}</span>,
  },
  {
    id: 'factor',
    header: 'Second factor',
    cell: (member) => <SecondFactor member={member} required={table.required} />,
  },
  {
    id: 'signed-in',
    header: 'Last sign-in',
    cell: (member) => (
      <span className="text-sm">
        <Time at={member.lastSignInAt} none="never" />
        {member.lastSignInIp && <span className="ml-1.5 font-mono text-xs text-faint">{member.lastSignInIp}</span>}
      </span>
    ),
    sort: (member) => member.lastSignInAt ?? '',
  },
  actionsColumn((member) => (
    <Menu
      label={`Actions for ${fullName(member)}`}
      entries={[
        {
          label: 'Change roles',
          icon: 'edit',
          disabledReason: table.blockedReason,
          onSelect: () => table.onChange(member),
        },
        {
          label: 'Remove access',
          icon: 'exit',
          danger: true,
          apart: true,
          disabledReason:
            table.blockedReason ??
            (table.isLastOwner(member) ? 'The only owner. Make another user an owner first.' : null),
          onSelect: () => table.onRevoke(member),
        },
      ]}
    />
  )),
]

function SecondFactor({ member, required }: { member: StaffMember; required: boolean }) {
  const { hasTotp, passkeys } = member
  if (!hasTotp && passkeys === 0) return <StatusBadge tone={required ? 'bad' : 'warn'}>None</StatusBadge>
  const words = [
    passkeys > 0 && (passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`),
    hasTotp && 'authenticator app',
  ]
  return <StatusBadge tone="ok">{words.filter(Boolean).join(', ')}</StatusBadge>
}

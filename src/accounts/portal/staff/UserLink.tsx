import { Link } from '@tanstack/react-router'
import { fullName, type NamedUser } from './user-name.ts'

/** Links to the user that a list row belongs to. A long name must not push the other columns out of view. */
export const UserLink = ({
  id,
  user,
  to = '/admin/users/$id',
}: {
  id: number
  user: NamedUser
  to?: '/admin/users/$id' | '/admin/users/$id/billing'
}) => (
  <Link
    to={to}
    params={{ id }}
    title={fullName(user)}
    className="link relative z-1 wrap-anywhere @list:inline-block @list:max-w-56 @list:truncate @list:align-bottom"
  >
    {fullName(user)}
  </Link>
)

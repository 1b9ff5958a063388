import { useSuspenseQuery } from '@tanstack/react-query'
import { accounts } from '../api.ts'

const FEW = 3

export function RecoveryCodesLeft() {
  const { left } = useSuspenseQuery(accounts.query['GET /api/user/recovery_codes']()).data
  return (
    <span className={left <= FEW ? 'text-warn' : 'text-dim'}>
      {left === 1 ? '1 recovery code left' : `${left} recovery codes left`}
      {left <= FEW && '. Generate new ones'}
    </span>
  )
}

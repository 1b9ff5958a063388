import { useQueryClient } from '@tanstack/react-query'
import { notify } from '../../ui/runtime/notifications.ts'
import { Confirm } from '../../ui/components/Confirm.tsx'
import type { TransitPrefix } from '../contract.ts'
import { ownPrefixes, transit } from './api.ts'

export function WithdrawPrefix({
  prefix,
  open,
  onClose,
}: {
  prefix: TransitPrefix
  open: boolean
  onClose: () => void
}) {
  const queries = useQueryClient()
  const withdraw = async () => {
    await transit.call['DELETE /api/transit_prefixes/{id}']({ params: { id: prefix.id } })
    await queries.invalidateQueries({ queryKey: ownPrefixes().queryKey })
    notify({ type: 'success', title: `${prefix.value} withdrawn` })
  }
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Withdraw ${prefix.value}?`}
      action="Withdraw prefix"
      danger
      consequences={withdrawalConsequences([prefix])}
      onConfirm={withdraw}
    />
  )
}

export function withdrawalConsequences(prefixes: readonly Pick<TransitPrefix, 'status'>[]): string[] {
  const one = prefixes.length === 1
  const approved = prefixes.filter(({ status }) => status === 'APPROVED').length
  return [
    ...(approved > 0
      ? [
          one
            ? 'Our edge removes it from its filter. The route disappears from the Internet within seconds.'
            : 'Our edge removes them from its filter. Their routes disappear from the Internet within seconds.',
        ]
      : []),
    ...(approved < prefixes.length ? [one ? 'The request is closed.' : 'Open requests are closed.'] : []),
    'The address space becomes available to others. You can request it again.',
  ]
}

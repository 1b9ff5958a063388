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
      consequences={[
        ...(prefix.status === 'APPROVED'
          ? ['Our edge removes it from its filter. The route disappears from the Internet within seconds.']
          : ['The request is closed.']),
        'The address space becomes available to others. You can request it again.',
      ]}
      onConfirm={withdraw}
    />
  )
}

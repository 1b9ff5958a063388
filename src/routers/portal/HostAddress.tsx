import { Copyable } from '../../ui/components/Copyable.tsx'
import { EmptyValue } from '../../ui/components/EmptyValue.tsx'
import { addressOf, type WithAddresses } from '../address-of.ts'

export function HostAddress({ of, family }: { of: WithAddresses; family: 4 | 6 }) {
  const address = addressOf(of, family)
  return address ? <Copyable value={address} /> : <EmptyValue />
}

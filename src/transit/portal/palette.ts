import { queryClient } from '../../ui/live/query-client.ts'
import type { PaletteItem, PaletteSource } from '../../ui/runtime/palette.ts'
import { session } from '../../ui/runtime/session.ts'
import { sessionBadge } from '../../routers/portal/session-labels.ts'
import { ownConnection, ownPrefixes } from './api.ts'
import { STATUS_BADGE } from './prefix-labels.ts'

/** Each prefix that is not withdrawn, linked to the page with its stages. */
export const prefixPalette: PaletteSource = async () => {
  if (!session.current()?.asnVerifiedAt) return []
  const prefixes = await queryClient.ensureQueryData(ownPrefixes())
  return prefixes
    .filter((prefix) => prefix.status !== 'WITHDRAWN')
    .map((prefix): PaletteItem => ({
      id: `prefix-${prefix.id}`,
      label: prefix.value,
      group: 'Prefix',
      icon: 'prefix',
      hint: STATUS_BADGE[prefix.status].label,
      keywords: `${prefix.announcementType} AS${prefix.originAsn ?? ''}`,
      href: `/transit/prefixes/${prefix.id}`,
    }))
}

export const sessionPalette: PaletteSource = async () => {
  if (!session.current()?.asnVerifiedAt) return []
  const { sessions, router } = await queryClient.ensureQueryData(ownConnection())
  return sessions.map(({ family, state, peerAddress, localAddress }): PaletteItem => ({
    id: `session-${family}`,
    label: `IPv${family} session`,
    group: 'BGP session',
    icon: 'transit',
    hint: sessionBadge(state).label,
    keywords: `${peerAddress} ${localAddress} ${router?.name ?? ''}`,
    href: `/transit/sessions/${family}`,
  }))
}

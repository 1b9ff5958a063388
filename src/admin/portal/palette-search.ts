import { formatAsn } from '../../kernel/asn.ts'
import type { PaletteItem } from '../../ui/runtime/palette.ts'
import { STATUS_BADGE } from '../../transit/portal/prefix-labels.ts'
import { staff } from './api.ts'
import { fullName } from '../../accounts/portal/staff/user-name.ts'

/**
 * Returns the search results of the server as palette items. Their ids match those of `staffItems`, which may include
 * the same items.
 */
export async function searchEverything(typed: string, signal: AbortSignal): Promise<readonly PaletteItem[]> {
  // Longer than the API accepts, and longer than any name.
  if (typed.length > 100) return []
  const found = await staff.call['GET /api/admin/search']({ query: { q: typed } }, { signal })
  return [
    ...found.users.map((user): PaletteItem => ({
      id: `user-${user.id}`,
      label: fullName(user),
      group: 'User',
      icon: 'users',
      hint: [user.company, user.email, user.asn === null ? null : formatAsn(user.asn)].filter(Boolean).join(', '),
      href: `/admin/users/${user.id}`,
    })),
    ...found.routers.map((router): PaletteItem => ({
      id: `staff-router-${router.id}`,
      label: router.name,
      group: 'Router of a user',
      icon: 'router',
      hint: fullName(router.user),
      href: `/admin/routers/${router.id}`,
    })),
    ...found.prefixes.map((prefix): PaletteItem => ({
      id: `staff-prefix-${prefix.id}`,
      label: prefix.value,
      group: 'Prefix of a user',
      icon: 'prefix',
      hint: `${fullName(prefix.user)}, ${STATUS_BADGE[prefix.status].label.toLowerCase()}`,
      href: `/admin/prefixes/${prefix.id}`,
    })),
    ...found.invoices.map((invoice): PaletteItem => ({
      id: `staff-invoice-${invoice.id}`,
      label: invoice.number,
      group: 'Invoice of a user',
      icon: 'billing',
      hint: fullName(invoice.user),
      href: `/admin/users/${invoice.user.id}/billing`,
    })),
  ]
}

import { formatAsn } from '../../kernel/asn.ts'
import type { PaletteItem } from '../../ui/runtime/palette.ts'
import { BILLING_ITEMS } from '../../billing/portal/staff/palette-items.ts'
import { load } from '../../ui/graphql/client.ts'
import { PrefixList } from '../../transit/portal/staff/prefix-documents.ts'
import { UserList } from '../../accounts/portal/staff/user-documents.ts'
import { navPaletteItems } from './palette-pages.ts'
import { fullName } from '../../accounts/portal/staff/user-name.ts'
import { STATUS_BADGE } from '../../transit/portal/prefix-labels.ts'

/** Returns the palette items of staff: pages outside the navigation, hypervisors, and the newest users and prefixes. */
export async function staffItems(): Promise<readonly PaletteItem[]> {
  const [{ users }, { transitPrefixes }, places] = await Promise.all([
    load(UserList, {}),
    load(PrefixList, {}),
    navPaletteItems(),
  ])
  return [
    ...places,
    ...BILLING_ITEMS,
    ...users.nodes.map((user): PaletteItem => ({
      id: user.id,
      label: fullName(user),
      group: 'User',
      icon: 'users',
      hint: user.email,
      keywords: user.ipTransit?.asn ? formatAsn(user.ipTransit.asn) : '',
      href: `/admin/users/${user.databaseId}`,
    })),
    ...transitPrefixes.nodes.map((prefix): PaletteItem => ({
      id: `staff-${prefix.id}`,
      label: prefix.value,
      group: 'Prefix of a user',
      icon: 'prefix',
      hint: `${fullName(prefix.ipTransit.user)}, ${STATUS_BADGE[prefix.status].label.toLowerCase()}`,
      href: `/admin/prefixes/${prefix.databaseId}`,
    })),
  ]
}

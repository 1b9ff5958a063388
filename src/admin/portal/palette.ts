import { formatAsn } from '../../kernel/asn.ts'
import type { PaletteItem } from '../../portal/palette.ts'
import { BILLING_ITEMS } from './billing/palette-items.ts'
import { load } from './apollo/client.ts'
import { PrefixList } from './documents/prefixes.ts'
import { UserList } from './documents/users.ts'
import { placeItems } from './palette-places.ts'
import { fullName } from './person.ts'
import { STATUS_LOOK } from '../../transit/portal/prefix-words.ts'

/** The screens that the navigation does not name, the hosts, the newest users and prefixes: what staff jump to. */
export async function staffItems(): Promise<readonly PaletteItem[]> {
  const [{ users }, { transitPrefixes }, places] = await Promise.all([
    load(UserList, {}),
    load(PrefixList, {}),
    placeItems(),
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
      hint: `${fullName(prefix.ipTransit.user)}, ${STATUS_LOOK[prefix.status].word.toLowerCase()}`,
      href: `/admin/prefixes/${prefix.databaseId}`,
    })),
  ]
}

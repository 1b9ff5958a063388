import { lines, PASSWORD_PLACEHOLDER, type Peering } from './peering.ts'

/** RouterOS 7. */
export function routeros({ customerAsn, operatorAsn, routerId, signed, families }: Peering): string {
  return lines(
    ...families.flatMap(({ family, originated, allowed }) => [
      ...originated.map((prefix) => `/${ip(family)}/route/add dst-address=${prefix} blackhole`),
      ...originated.map((prefix) => `/${ip(family)}/firewall/address-list/add list=own${family} address=${prefix}`),
      ...allowed.map(
        (prefix) => `/routing/filter/rule/add chain=transit${family}-out rule="if (dst==${prefix}) { accept }"`,
      ),
      `/routing/filter/rule/add chain=transit${family}-out rule="reject"`,
    ]),
    ...families
      .filter(({ bfd }) => bfd)
      .map(({ edge }) => `/routing/bfd/configuration/add addresses=${edge} min-rx=300ms min-tx=300ms multiplier=3`),
    ...families.map(({ family, own, edge, bfd }) =>
      [
        `/routing/bgp/connection/add name=transit${family} as=${customerAsn} router-id=${routerId}`,
        `local.address=${own} local.role=ebgp-customer local.ttl=255`,
        `remote.address=${edge} remote.as=${operatorAsn} remote.ttl=255`,
        `address-families=${family === 4 ? 'ip' : 'ipv6'} hold-time=1m30s keepalive-time=30s${bfd ? ' use-bfd=yes' : ''}`,
        `output.network=own${family} output.filter-chain=transit${family}-out${signed ? ` tcp-md5-key=${PASSWORD_PLACEHOLDER}` : ''}`,
      ].join(' \\\n    '),
    ),
  )
}

const ip = (family: 4 | 6): string => (family === 4 ? 'ip' : 'ipv6')

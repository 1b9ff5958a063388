import { exampleHost, lines, PASSWORD_PLACEHOLDER, type Peering } from './peering.ts'

export function routeros({ customerAsn, operatorAsn, routerId, signed, families }: Peering): string {
  return lines(
    ...families.flatMap(({ family, originated, allowed }) => [
      ...originated.map((prefix) => `/${ip(family)}/route/add dst-address=${prefix} blackhole`),
      ...originated.map((prefix) => `/${ip(family)}/firewall/address-list/add list=own${family} address=${prefix}`),
      // Placed before the rules that accept, because a rule without an action continues to the next.
      ...(allowed.length > 0
        ? [
            '# Ask us for something, for one prefix. This prepends our AS number twice to all upstreams:',
            `# ${filterRule(family, `if (dst==${allowed[0]!}) { append bgp-large-communities ${operatorAsn}:1012:0 }`)}`,
          ]
        : []),
      ...(originated.length > 0 ? blackhole(family, exampleHost(originated[0]!)) : []),
      ...allowed.map((prefix) => filterRule(family, `if (dst==${prefix}) { accept }`)),
      filterRule(family, 'reject'),
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

const filterRule = (family: 4 | 6, rule: string): string =>
  `/routing/filter/rule/add chain=transit${family}-out rule="${rule}"`

const blackhole = (family: 4 | 6, host: string): string[] => [
  '# Drop all traffic to an address, on this router and upstream:',
  `# /${ip(family)}/route/add dst-address=${host} blackhole`,
  `# /${ip(family)}/firewall/address-list/add list=own${family} address=${host}`,
  `# ${filterRule(family, `if (dst==${host}) { append bgp-communities 65535:666; accept }`)}`,
]

const ip = (family: 4 | 6): string => (family === 4 ? 'ip' : 'ipv6')

import { exampleHost, lines, PASSWORD_PLACEHOLDER, type Peering } from './peering.ts'

/** Filters in both directions, because FRR exchanges no routes without them (RFC 8212). */
export function frr({ customerAsn, operatorAsn, routerId, signed, families }: Peering): string {
  return lines(
    ...families.flatMap(({ family, originated, allowed }) => [
      ...originated.map((prefix) => `${ip(family)} route ${prefix} blackhole`),
      ...(allowed.length > 0
        ? allowed.map((prefix) => `${ip(family)} prefix-list own${family} permit ${prefix}`)
        : [`${ip(family)} prefix-list own${family} deny any`]),
      `${ip(family)} prefix-list all${family} permit any`,
      ...(originated.length > 0
        ? [
            '! Drop all traffic to an address, on this router and upstream:',
            `! ${ip(family)} route ${exampleHost(originated[0]!)} blackhole`,
            `! ${ip(family)} prefix-list blackhole${family} permit ${exampleHost(originated[0]!)}`,
            `! and "network ${exampleHost(originated[0]!)}" in the address family`,
          ]
        : []),
      `route-map transit${family}-out permit 10`,
      ` match ${ip(family)} address prefix-list blackhole${family}`,
      ' set community 65535:666',
      `route-map transit${family}-out permit 20`,
      ` match ${ip(family)} address prefix-list own${family}`,
      ' ! Ask us for something. This prepends our AS number twice to all upstreams:',
      ` ! set large-community ${operatorAsn}:1012:0`,
    ]),
    // With `ttl-security`, bgpd makes the BFD session of a neighbor multihop, which ours is not (RFC 5881).
    families.some(({ bfd }) => bfd) && [
      '!',
      '! BFD: set bfdd=yes in /etc/frr/daemons. The peers are configured here and not with "neighbor … bfd",',
      '! which does not work together with ttl-security: our edge follows BFD, your bgpd its hold timer.',
      'bfd',
      ...families
        .filter(({ bfd }) => bfd)
        .flatMap(({ own, edge }) => [
          ` peer ${edge} local-address ${own}`,
          '  receive-interval 300',
          '  transmit-interval 300',
          '  detect-multiplier 3',
        ]),
    ],
    '!',
    `router bgp ${customerAsn}`,
    ` bgp router-id ${routerId}`,
    ' no bgp default ipv4-unicast',
    ...families.flatMap(({ edge }) => [
      ` neighbor ${edge} remote-as ${operatorAsn}`,
      ` neighbor ${edge} local-role customer`,
      ` neighbor ${edge} ttl-security hops 1`,
      ` neighbor ${edge} timers 30 90`,
      signed && ` neighbor ${edge} password ${PASSWORD_PLACEHOLDER}`,
    ]),
    ...families.flatMap(({ family, edge, originated }) => [
      ' !',
      ` address-family ipv${family} unicast`,
      ...originated.map((prefix) => `  network ${prefix}`),
      `  neighbor ${edge} activate`,
      `  neighbor ${edge} prefix-list all${family} in`,
      `  neighbor ${edge} route-map transit${family}-out out`,
      ' exit-address-family',
    ]),
  )
}

const ip = (family: 4 | 6): string => (family === 4 ? 'ip' : 'ipv6')

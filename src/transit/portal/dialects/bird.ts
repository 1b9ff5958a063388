import { exampleHost, lines, PASSWORD_PLACEHOLDER, type Peering, type PeeringFamily } from './peering.ts'

export const bird = (peering: Peering): string =>
  [
    lines(
      `router id ${peering.routerId};`,
      'protocol device {}',
      peering.families.some(({ bfd }) => bfd) && BFD,
      ...peering.families.map(kernel),
    ),
    ...peering.families.map((family) => session(peering, family)),
  ].join('\n\n')

const BFD = 'protocol bfd { accept direct; interface "*" { interval 300 ms; multiplier 3; }; }'

const kernel = ({ family }: PeeringFamily): string =>
  `protocol kernel kernel${family} { ipv${family} { export all; }; }`

function session(
  { customerAsn, operatorAsn, signed }: Peering,
  { family, own, edge, bfd, originated, allowed }: PeeringFamily,
) {
  return lines(
    originated.length > 0 && [
      `protocol static own${family} {`,
      `  ipv${family};`,
      ...originated.map((prefix) => `  route ${prefix} blackhole;`),
      '  # Drop all traffic to an address, on this router and upstream:',
      `  # route ${exampleHost(originated[0]!)} blackhole { bgp_community.add((65535, 666)); };`,
      '}',
    ],
    allowed.length > 0 && [
      `filter transit${family}_out {`,
      '  # Ask us for something, for one prefix. This prepends our AS number twice to all upstreams:',
      `  # if net = ${allowed[0]!} then bgp_large_community.add((${operatorAsn}, 1012, 0));`,
      `  if net ~ [ ${allowed.join(', ')} ] then accept;`,
      `  if (65535, 666) ~ bgp_community && net ~ [ ${allowed.map((prefix) => prefix + HOSTS[family]).join(', ')} ] then accept;`,
      '  reject;',
      '}',
    ],
    `protocol bgp transit${family} {`,
    `  local ${own} as ${customerAsn};`,
    `  neighbor ${edge} as ${operatorAsn};`,
    '  local role customer;',
    '  ttl security on;',
    '  hold time 90;',
    bfd && '  bfd on;',
    signed && `  password "${PASSWORD_PLACEHOLDER}";`,
    `  ipv${family} {`,
    '    import all;',
    `    export ${allowed.length > 0 ? `filter transit${family}_out` : 'none'};`,
    '    next hop self;',
    '  };',
    '}',
  )
}

const HOSTS = { 4: '{32,32}', 6: '{128,128}' } as const

import { lines, PASSWORD_PLACEHOLDER, type Peering, type PeeringFamily } from './peering.ts'

export const bird = (peering: Peering): string =>
  [
    lines(`router id ${peering.routerId};`, 'protocol device {}', ...peering.families.map(kernel)),
    ...peering.families.map((family) => session(peering, family)),
  ].join('\n\n')

const kernel = ({ family }: PeeringFamily): string =>
  `protocol kernel kernel${family} { ipv${family} { export all; }; }`

function session(
  { customerAsn, operatorAsn, signed }: Peering,
  { family, own, edge, originated, allowed }: PeeringFamily,
) {
  return lines(
    originated.length > 0 && [
      `protocol static own${family} {`,
      `  ipv${family};`,
      ...originated.map((prefix) => `  route ${prefix} blackhole;`),
      '}',
    ],
    `protocol bgp transit${family} {`,
    `  local ${own} as ${customerAsn};`,
    `  neighbor ${edge} as ${operatorAsn};`,
    '  local role customer;',
    '  ttl security on;',
    '  hold time 90;',
    signed && `  password "${PASSWORD_PLACEHOLDER}";`,
    `  ipv${family} {`,
    '    import all;',
    `    export ${allowed.length > 0 ? `where net ~ [ ${allowed.join(', ')} ]` : 'none'};`,
    '    next hop self;',
    '  };',
    '}',
  )
}

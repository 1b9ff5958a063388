import { exampleHost, lines, PASSWORD_PLACEHOLDER, type Peering, type PeeringFamily } from './peering.ts'

export function vyos(peering: Peering): string {
  return lines(
    `set protocols bgp system-as ${peering.customerAsn}`,
    `set protocols bgp parameters router-id ${peering.routerId}`,
    ...peering.families.flatMap((family) => [
      ...routes(family),
      ...routeMap(peering, family),
      ...neighbor(peering, family),
    ]),
  )
}

function routes({ family, originated, allowed }: PeeringFamily): string[] {
  const list = `set policy prefix-list${suffix(family)} own${family}`
  return [
    ...originated.flatMap((prefix) => [
      `set protocols static route${suffix(family)} ${prefix} blackhole`,
      `set protocols bgp address-family ipv${family}-unicast network ${prefix}`,
    ]),
    ...allowed.flatMap((prefix, index) => [
      `${list} rule ${(index + 1) * 10} action permit`,
      `${list} rule ${(index + 1) * 10} prefix ${prefix}`,
    ]),
    // A list without rules cannot be committed. The last rule denies everything else.
    `${list} rule 65535 action deny`,
    `${list} rule 65535 prefix ${family === 4 ? '0.0.0.0/0' : '::/0'}`,
    `${list} rule 65535 le ${family === 4 ? 32 : 128}`,
  ]
}

function routeMap({ operatorAsn }: Peering, { family, originated, allowed }: PeeringFamily): string[] {
  const map = `set policy route-map transit${family}-out rule`
  const match = family === 4 ? 'match ip address prefix-list' : 'match ipv6 address prefix-list'
  return [
    `${map} 20 action permit`,
    `${map} 20 ${match} own${family}`,
    ...(allowed.length > 0
      ? [
          '# Ask us for something. This prepends our AS number twice to all upstreams:',
          `# ${map} 20 set large-community add ${operatorAsn}:1012:0`,
        ]
      : []),
    ...(originated.length > 0 ? blackhole(family, exampleHost(originated[0]!), { map, match }) : []),
  ]
}

function blackhole(family: 4 | 6, host: string, { map, match }: { map: string; match: string }): string[] {
  const list = `# set policy prefix-list${suffix(family)} blackhole${family} rule 10`
  return [
    '# Drop all traffic to an address, on this router and upstream:',
    `# set protocols static route${suffix(family)} ${host} blackhole`,
    `# set protocols bgp address-family ipv${family}-unicast network ${host}`,
    `${list} action permit`,
    `${list} prefix ${host}`,
    `# ${map} 10 action permit`,
    `# ${map} 10 ${match} blackhole${family}`,
    `# ${map} 10 set community add 65535:666`,
  ]
}

function neighbor({ operatorAsn, signed }: Peering, { family, own, edge, bfd }: PeeringFamily): string[] {
  const at = `set protocols bgp neighbor ${edge}`
  return [
    `${at} remote-as ${operatorAsn}`,
    `${at} local-role customer`,
    `${at} update-source ${own}`,
    `${at} ttl-security hops 1`,
    `${at} timers holdtime 90`,
    `${at} timers keepalive 30`,
    ...(signed ? [`${at} password ${PASSWORD_PLACEHOLDER}`] : []),
    // A separate BFD peer, not the neighbor's `bfd` option, for the reason in `frr.ts`.
    ...(bfd
      ? [
          `set protocols bfd peer ${edge} source address ${own}`,
          `set protocols bfd peer ${edge} interval receive 300`,
          `set protocols bfd peer ${edge} interval transmit 300`,
          `set protocols bfd peer ${edge} interval multiplier 3`,
        ]
      : []),
    `${at} address-family ipv${family}-unicast route-map export transit${family}-out`,
  ]
}

const suffix = (family: 4 | 6): string => (family === 4 ? '' : '6')

import { lines, PASSWORD_PLACEHOLDER, type Peering } from './peering.ts'

/** Filters in both directions, because FRR passes no route without them (RFC 8212). */
export function frr({ customerAsn, operatorAsn, routerId, signed, families }: Peering): string {
  return lines(
    ...families.flatMap(({ family, originated, allowed }) => [
      ...originated.map((prefix) => `${ip(family)} route ${prefix} blackhole`),
      ...(allowed.length > 0
        ? allowed.map((prefix) => `${ip(family)} prefix-list own${family} permit ${prefix}`)
        : [`${ip(family)} prefix-list own${family} deny any`]),
      `${ip(family)} prefix-list all${family} permit any`,
    ]),
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
      `  neighbor ${edge} prefix-list own${family} out`,
      ' exit-address-family',
    ]),
  )
}

const ip = (family: 4 | 6): string => (family === 4 ? 'ip' : 'ipv6')

/**
 * The BGP part of BIRD 2's configuration in a customer's router. It has two sessions to the edge and originates the
 * customer's own prefixes, so the router announces as soon as it boots. It prints only numbers, addresses, prefixes and
 * a checked password; anything else throws.
 */
import { MAX_ASN } from '../../../kernel/asn.ts'
import { formatAddress, formatPrefix, parseAddress, parsePrefix, type Family } from '../../../kernel/prefix.ts'
import type { AdvertisedPrefix, RouterAddress } from '../desired.ts'

export interface GuestParameters {
  readonly customerAsn: number
  readonly operatorAsn: number
  readonly enabled: boolean
  readonly password: string | null
  readonly addresses: readonly RouterAddress[]
  /** The approved prefixes. */
  readonly prefixes: readonly AdvertisedPrefix[]
}

export function renderGuestBird(parameters: GuestParameters): string {
  const sections = parameters.addresses
    .toSorted((a, b) => a.family - b.family)
    .flatMap((address) => [renderOrigin(parameters, address.family), renderSession(parameters, address)])
  return `# IP transit, written by the portal: changes made here are overwritten. Yours go to /data/bird.d/*.conf.\n${sections.filter(Boolean).join('\n')}`
}

/** Blackhole routes: more specific routes win, and the rest is dropped without an ICMP error for each packet of a flood. */
function renderOrigin(parameters: GuestParameters, family: Family): string {
  const own = announced(parameters, family, ['ORIGIN'])
  if (own.length === 0) return ''
  return `protocol static lh_origin${family} {
  ipv${family};
${own.map((prefix) => `  route ${prefix} blackhole;`).join('\n')}
}
`
}

/** Exports only approved prefixes, so a mistake in the router is caught here and not at the edge (RFC 8212). */
function renderSession(parameters: GuestParameters, { family, address, gateway }: RouterAddress): string {
  const approved = announced(parameters, family, ['ORIGIN', 'DOWNSTREAM'])
  const leaves = approved.length === 0 ? 'none' : `where net ~ [ ${approved.join(', ')} ]`
  return `protocol bgp lh_transit${family} {${parameters.enabled ? '' : '\n  disabled;'}
  description "IP transit IPv${family}";
  local ${printAddress(address, family)} as ${printAsn(parameters.customerAsn)};
  neighbor ${printAddress(gateway, family)} as ${printAsn(parameters.operatorAsn)};
  local role customer;
  ttl security on;
  hold time 90;
  keepalive time 30;
  graceful restart off;${parameters.password === null ? '' : `\n  password "${printPassword(parameters.password)}";`}
  ipv${family} {
    import all;
    export ${leaves};
    next hop self;
  };
}
`
}

function announced(parameters: GuestParameters, family: Family, types: readonly AdvertisedPrefix['type'][]): string[] {
  return parameters.prefixes
    .filter((prefix) => types.includes(prefix.type))
    .map((prefix) => parsePrefix(prefix.value))
    .filter((prefix) => prefix.family === family)
    .map(formatPrefix)
    .toSorted()
}

function printAddress(text: string, family: Family): string {
  const address = parseAddress(text)
  if (address?.family !== family) throw new TypeError(`"${text}" is not IPv${family} addresses`)
  return formatAddress(address)
}

function printAsn(asn: number): number {
  if (!Number.isInteger(asn) || asn < 1 || asn > MAX_ASN) throw new TypeError(`${asn} is not an AS number`)
  return asn
}

/** BIRD's strings have no escapes, so a quote or backslash cannot be expressed. The error does not contain the value. */
function printPassword(password: string): string {
  if (!/^[!#-[\]-~]{1,80}$/.test(password))
    throw new TypeError('a BGP password holds a character that BIRD cannot express')
  return password
}

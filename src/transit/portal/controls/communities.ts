/** The communities by which a customer can control the edge (RFC 1997, RFC 8092), as text and in router configuration languages. */
export interface EdgeCommunity {
  readonly value: string
  readonly meaning: string
}

export interface NamedUpstream {
  readonly asn: number
  readonly name: string
}

export function edgeCommunities(operatorAsn: number, upstreams: readonly NamedUpstream[]): readonly EdgeCommunity[] {
  const to = [
    ...upstreams.map(({ asn, name }) => ({ asn, whom: `AS${asn} ${name}` })),
    { asn: 0, whom: upstreams.length > 0 ? 'all upstreams' : 'any upstream; with its AS number instead of 0, to one' },
  ]
  return [
    {
      value: '65535:666',
      meaning: 'Drop all traffic to this address: a /32 or /128 inside an approved prefix (RFC 7999).',
    },
    { value: '65535:0', meaning: 'Use this path last (RFC 8326).' },
    ...to.map(({ asn, whom }) => ({
      value: `${operatorAsn}:1010:${asn}`,
      meaning: asn === 0 && upstreams.length > 0 ? 'Announce to no upstream.' : `Do not announce to ${whom}.`,
    })),
    ...to.flatMap(({ asn, whom }) =>
      TIMES.map((times, index) => ({
        value: `${operatorAsn}:${1011 + index}:${asn}`,
        meaning: `Prepend our AS number ${times} to ${whom}.`,
      })),
    ),
    { value: `${operatorAsn}:1000:90`, meaning: 'Local preference 90: a route of our upstreams wins.' },
    { value: `${operatorAsn}:1000:80`, meaning: 'Local preference 80: below 90.' },
  ]
}

const TIMES = ['once', 'twice', 'three times']

/** Named as in the configurations for customers' routers. */
export const COMMUNITY_DIALECTS = ['BIRD 2', 'FRR', 'OpenBGPD', 'RouterOS', 'VyOS'] as const
export type CommunityDialect = (typeof COMMUNITY_DIALECTS)[number]

/** The line that sets the community, with the filter names of our configuration for that router. */
export function communityExample(dialect: CommunityDialect, value: string, edge: string): string {
  const parts = value.split(':')
  const large = parts.length === 3
  const kind = large ? 'large-' : ''
  switch (dialect) {
    case 'BIRD 2':
      return `bgp_${large ? 'large_' : ''}community.add((${parts.join(', ')}));`
    case 'FRR':
      return `set ${kind}community ${value} additive`
    case 'OpenBGPD':
      return `match to ${edge} set ${kind}community ${value}`
    case 'RouterOS':
      return `append bgp-${kind}communities ${value};`
    case 'VyOS':
      return `set policy route-map transit4-out rule 20 set ${kind}community add ${value}`
  }
}

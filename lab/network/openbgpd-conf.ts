import { LAB } from './addresses.ts'
import { quote } from './quote.ts'

/**
 * The operator's own bgpd.conf, as docs/edge.md shows it. The two includes bring in the files that the portal writes.
 */
export function openbgpdConf(edge: { directory: string; socket: string; rtrPort?: number }): string {
  const { link, upstreamAsn } = LAB
  const path = (name: string): string => quote(`${edge.directory}/${name}`)
  return `include ${path('live/policy.conf')}
fib-update no
socket ${quote(edge.socket)}
${edge.rtrPort === undefined ? '' : `rtr 127.0.0.1 {\n  port ${edge.rtrPort}\n}\n`}
group "upstream" {
  remote-as ${upstreamAsn}
${([4, 6] as const)
  .map(
    (family) => `  neighbor ${link[family].upstream} {
    descr "upstream1_v${family}"
    local-address ${link[family].edge}
    announce policy customer
  }`,
  )
  .join('\n')}
}
include ${path('local/local.conf')}
include ${path('live/customers.conf')}
include ${path('local/last.conf')}
`
}

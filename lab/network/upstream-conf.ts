import { LAB } from './addresses.ts'
import { FULL_TABLE, type TableRoute } from './full-table.ts'
import { quote } from './quote.ts'

/** The transit provider above the edge: it sends its table, accepts everything, and has no default route. */
export function upstreamConf(upstream: { directory: string }): string {
  const { link, operatorAsn, upstreamAsn } = LAB
  return `log ${quote(`${upstream.directory}/bird.log`)} 4000000 ${quote(`${upstream.directory}/bird.log.old`)} all;
router id ${link[4].upstream};
protocol device { scan time 5; }
${([4, 6] as const)
  .map(
    (family) => `
protocol static table${family} {
  ipv${family};
${FULL_TABLE[family].map(staticRoute).join('\n')}
}
protocol kernel kernel${family} {
  ipv${family} { import none; export where source = RTS_BGP; };
}
protocol bgp edge_v${family} {
  local ${link[family].upstream} as ${upstreamAsn};
  neighbor ${link[family].edge} as ${operatorAsn};
  local role provider;
  connect delay time 1;
  connect retry time 5;
  error wait time 1, 10;
  ipv${family} { import all; export where source = RTS_STATIC; next hop self; };
}`,
  )
  .join('\n')}
`
}

/** Prepended from the origin outwards, as the networks on the path would have done. */
const staticRoute = (route: TableRoute): string =>
  `  route ${route.prefix} blackhole { bgp_path.empty; ${route.path
    .toReversed()
    .map((asn) => `bgp_path.prepend(${asn});`)
    .join(' ')} };`

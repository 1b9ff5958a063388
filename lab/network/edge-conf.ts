import { LAB } from './addresses.ts'
import { quote } from './quote.ts'

/**
 * The operator's own bird.conf, as docs/edge.md shows it. The two includes bring in the files that the portal writes.
 */
export function edgeConf(edge: { directory: string; rtrPort?: number }): string {
  const { link, upstreamAsn } = LAB
  const path = (name: string): string => quote(`${edge.directory}/${name}`)
  return `log ${path('bird.log')} 4000000 ${path('bird.log.old')} all;
roa4 table rpki4;
roa6 table rpki6;
define LH_MAINTENANCE = false;
include ${path('live/policy.conf')};

protocol device { scan time 5; }
${([4, 6] as const)
  .map(
    (family) => `
protocol kernel kernel${family} {
  ipv${family} { table master${family}; import none; export where lh_kernel_out(); };
}
protocol bgp upstream1_v${family} {
  local ${link[family].edge} as LH_ASN;
  neighbor ${link[family].upstream} as ${upstreamAsn};
  local role customer;
  enforce first as on;
  connect delay time 1;
  connect retry time 5;
  error wait time 1, 10;
  ipv${family} {
    table master${family};
    import table on;
    import keep filtered on;
    import where lh_upstream_in(${upstreamAsn});
    export where lh_upstream_out_to(${upstreamAsn}, true);
    next hop self;
  };
}`,
  )
  .join('\n')}
${
  edge.rtrPort === undefined
    ? ''
    : `
protocol rpki validator1 {
  roa4 { table rpki4; };
  roa6 { table rpki6; };
  remote 127.0.0.1 port ${edge.rtrPort};
  retry keep 2;
  refresh keep 30;
  expire 7200;
}
`
}
include ${path('live/customers/*.conf')};
include ${path('local/*.conf')};
`
}

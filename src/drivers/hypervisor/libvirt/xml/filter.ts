import type { MachineNic } from '../../index.ts'
import { linkLocalOf } from '../../../../kernel/mac.ts'
import { formatAddress, parseAddress, parsePrefix, type Prefix } from '../../../../kernel/prefix.ts'
import { find, readXml } from './read.ts'
import { xml, type Xml } from './write.ts'

/** A port that may send neighbor discovery, and the addresses that it may use there. */
export interface FilteredPort {
  readonly mac: string
  /** IPv6: its addresses on the segment, and its link-local address. */
  readonly addresses: readonly string[]
}

/**
 * Writes what may leave a router (BCP 38 at the port): frames with its own MAC, ARP for its own addresses, packets from
 * its allowed sources. It uses literal values only: libvirt's stock filters know one address per guest and no IPv6
 * prefix. The name and UUID are the machine's, so that defining the filter again replaces it, also for running
 * machines.
 */
export function writeFilter(name: string, uuid: string, nic: MachineNic): string {
  const sources = nic.allowedSources.map(parsePrefix)
  const v4 = sources.filter((source) => source.family === 4)
  const v6 = sources.filter((source) => source.family === 6)
  // ARP is only for the addresses on the segment; a routed prefix has no neighbors there.
  const own = v4.filter((source) => source.length === 32)
  return xml`<filter name='${name}' chain='root'><uuid>${uuid}</uuid>
<rule action='drop' direction='out' priority='100'><mac match='no' srcmacaddr='${nic.mac}'/></rule>
${own.map((source) => accept(110, xml`<arp arpsrcmacaddr='${nic.mac}' arpsrcipaddr='${address(source)}'/>`))}
${drop(120, xml`<arp/>`)}
${v4.map((source) => accept(200, xml`<ip srcipaddr='${address(source)}' srcipmask='${source.length}'/>`))}
${drop(210, xml`<ip/>`)}
${drop(290, xml`<ipv6 protocol='icmpv6' type='134'/>`)}
${drop(290, xml`<ipv6 protocol='icmpv6' type='137'/>`)}
${[...v6, ...neighbourSources(nic.mac)].map((source) => accept(300, xml`<ipv6 srcipaddr='${address(source)}' srcipmask='${source.length}'/>`))}
${drop(310, xml`<ipv6/>`)}
${drop(900, xml`<mac/>`)}
</filter>`.text
}

/** Parses a filter of {@link writeFilter} as libvirt prints it; returns null for a filter that is not ours. */
export function readFilteredPort(text: string): FilteredPort | null {
  const rules = readXml(text).children.filter(({ name }) => name === 'rule')
  const mac = rules
    .map((one) => find(one, 'mac')?.attributes)
    .find((attributes) => attributes?.get('match') === 'no')
    ?.get('srcmacaddr')
  if (mac === undefined) return null
  const addresses = rules.flatMap((one) => {
    const match = find(one, 'ipv6')?.attributes
    const source = match?.get('srcipaddr')
    const isHost = one.attributes.get('action') === 'accept' && match?.get('srcipmask') === '128'
    const address = source === undefined ? null : parseAddress(source)
    // The unspecified address is an allowed source, but belongs to no host.
    return isHost && address !== null && address.value !== 0n ? [formatAddress(address)] : []
  })
  return { mac: mac.toLowerCase(), addresses }
}

const accept = (priority: number, match: Xml): Xml => rule('accept', priority, match)
const drop = (priority: number, match: Xml): Xml => rule('drop', priority, match)

/** `out` means from the guest. */
function rule(action: string, priority: number, match: Xml): Xml {
  return xml`<rule action='${action}' direction='out' priority='${priority}'>${match}</rule>
`
}

function address(prefix: Prefix): string {
  return formatAddress({ family: prefix.family, value: prefix.network })
}

/** Neighbor discovery uses the link-local address and, at first, the unspecified one (RFC 4862 section 5.4.2). */
const neighbourSources = (mac: string): Prefix[] => [parsePrefix(`${linkLocalOf(mac)}/128`), parsePrefix('::/128')]

import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import { MAX_REJECTIONS, MAX_UPSTREAMS, type UpstreamRejection, type UpstreamSession } from '../index.ts'
import { expectSuccess, type BirdControl, type CommandOptions } from './control.ts'
import { parseOwnNames, parseTime, parseUpstreams } from './parse-protocols.ts'
import { blackholesName, protocolName, staticsName } from './render-customer.ts'
import type { Reply } from './reply.ts'

const AS_SET = 14
/** The first line of a route; its second line is the next hop. */
const BYTES_PER_LINE = 300
/** Each costs six queries per customer. */
const MAX_ASKED = 16

/**
 * Finds which of a customer's routes are exported to an upstream: BIRD runs its export filters over them again. Every
 * established BGP session that is not a customer's counts as an upstream's.
 */
export async function readAnnounced(
  ask: () => Promise<BirdControl & Disposable>,
  customerId: number,
  size: CommandOptions,
): Promise<Set<string>> {
  const announced = new Set<string>()
  using first = await ask()
  const upstreams = parseOwnNames(await first.command('show protocols'))
    .flatMap(({ name, established }) => (established ? [name] : []))
    .slice(0, MAX_ASKED)
  for (const family of [4, 6] as const)
    for (const upstream of upstreams)
      for (const nameOf of [protocolName, staticsName, blackholesName]) {
        using control = await ask()
        const reply = await control.command(
          `show route protocol ${nameOf(customerId, family)} export '${upstream}'`,
          size,
        )
        // A session without this family has no such channel, and not every customer has each of the protocols.
        if (reply.code < 8000) for (const prefix of parsePrefixes(reply)) announced.add(prefix)
      }
  return announced
}

/** Returns the sessions with other networks, but not those within our own. */
export async function readUpstreams(control: BirdControl, localAsn: number): Promise<UpstreamSession[]> {
  const names = parseOwnNames(expectSuccess(await control.command('show protocols')))
  const upstreams: UpstreamSession[] = []
  for (const { name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_UPSTREAMS))
    // A session that is gone by now matches nothing. A query for all would also list customers' sessions.
    upstreams.push(...parseUpstreams(await control.command(`show protocols all "${name}"`)))
  return upstreams.filter(({ asn }) => asn !== localAsn)
}

/** `45.30.10.0/24  unicast [upstream1_v4 2026-11-23T01:38:28+0000] …`; further routes of a prefix omit it. */
const ROUTE_SINCE = /^([0-9a-f.:]{2,39}\/\d{1,3})\s+\w+ \[[\w.:-]+ ([^\s\]]{1,30})/

/**
 * Returns the upstreams' routes with an AS_SET (RFC 9774). The filter rejects them, so they are among the filtered
 * routes.
 */
export async function readRefusedSets(
  ask: () => Promise<BirdControl & Disposable>,
  names: readonly string[],
  localAsn: number,
): Promise<UpstreamRejection[]> {
  const refused: UpstreamRejection[] = []
  for (const upstream of names.slice(0, MAX_ASKED)) {
    using control = await ask()
    const reply = await control.command(
      `show route filtered protocol '${upstream}' where (${localAsn}, 1101, ${AS_SET}) ~ bgp_large_community`,
      { maxSize: MAX_REJECTIONS * BYTES_PER_LINE },
    )
    if (reply.code >= 8000) continue
    for (const { text } of reply.lines) {
      const [, prefix = '', since = ''] = ROUTE_SINCE.exec(text) ?? []
      const parsed = tryParsePrefix(prefix)
      const at = parseTime(since)
      if (parsed && at) refused.push({ upstream, prefix: formatPrefix(parsed), rejection: AS_SET, at })
    }
  }
  return refused
}

function* parsePrefixes(reply: Reply): Generator<string> {
  for (const { text } of reply.lines) {
    const parsed = tryParsePrefix(/^([0-9a-f.:]{2,39}\/\d{1,3})\s+\w+ \[/.exec(text)?.[1] ?? '')
    if (parsed) yield formatPrefix(parsed)
  }
}

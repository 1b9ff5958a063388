import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import { MAX_REJECTIONS, MAX_UPSTREAMS, type UpstreamRejection, type UpstreamSession } from '../index.ts'
import { expectSuccess, type BirdControl, type CommandOptions } from './control.ts'
import { parseOwnNames, parseTablesWithFiltered, parseTime, parseUpstreams } from './parse-protocols.ts'
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
  return (await askUpstreams(control, localAsn)).map(({ session }) => session)
}

async function askUpstreams(control: BirdControl, localAsn: number) {
  const names = parseOwnNames(expectSuccess(await control.command('show protocols')))
  const upstreams: { readonly session: UpstreamSession; readonly reply: Reply }[] = []
  for (const { name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_UPSTREAMS)) {
    // A session that is gone by now matches nothing. A query for all would also list customers' sessions.
    const reply = await control.command(`show protocols all "${name}"`)
    upstreams.push(...parseUpstreams(reply).map((session) => ({ session, reply })))
  }
  return upstreams.filter(({ session }) => session.asn !== localAsn)
}

/** `45.30.10.0/24  unicast [upstream1_v4 2026-11-23T01:38:28+0000] …`; further routes of a prefix omit it. */
const ROUTE_SINCE = /^([0-9a-f.:]{2,39}\/\d{1,3})?\s+\w+ \[([\w.:-]+) ([^\s\]]{1,30})/

/**
 * Returns the names of the upstreams, and their routes with an AS_SET (RFC 9774). The filter rejects them, so they are
 * among the filtered routes. BIRD walks a whole table for each query, also for one protocol: so this asks once for each
 * table, and not for a table in which no upstream has a filtered route.
 */
export async function readRefusedSets(
  ask: () => Promise<BirdControl & Disposable>,
  localAsn: number,
): Promise<{ readonly names: readonly string[]; readonly refused: readonly UpstreamRejection[] }> {
  using first = await ask()
  const upstreams = await askUpstreams(first, localAsn)
  const names = upstreams.map(({ session }) => session.name)
  const refused: UpstreamRejection[] = []
  for (const table of new Set(upstreams.flatMap(({ reply }) => parseTablesWithFiltered(reply)))) {
    using control = await ask()
    const reply = await control.command(
      `show route filtered table '${table}' where (${localAsn}, 1101, ${AS_SET}) ~ bgp_large_community && !(proto ~ "lh_*")`,
      { maxSize: MAX_ASKED * MAX_REJECTIONS * BYTES_PER_LINE },
    )
    if (reply.code >= 8000) continue
    let prefix: string | null = null
    for (const { text } of reply.lines) {
      const [, of, upstream = '', since = ''] = ROUTE_SINCE.exec(text) ?? []
      const parsed = of === undefined ? null : tryParsePrefix(of)
      if (parsed) prefix = formatPrefix(parsed)
      const at = parseTime(since)
      if (prefix !== null && at && names.includes(upstream)) refused.push({ upstream, prefix, rejection: AS_SET, at })
    }
  }
  return { names, refused }
}

function* parsePrefixes(reply: Reply): Generator<string> {
  for (const { text } of reply.lines) {
    const parsed = tryParsePrefix(/^([0-9a-f.:]{2,39}\/\d{1,3})\s+\w+ \[/.exec(text)?.[1] ?? '')
    if (parsed) yield formatPrefix(parsed)
  }
}

import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import { MAX_REJECTIONS, MAX_UPSTREAMS, type UpstreamRejection, type UpstreamSession } from '../index.ts'
import { expectSuccess, type BirdControl } from './control.ts'
import { parseOwnNames, parseTablesWithFiltered, parseTime, parseUpstreams } from './parse-protocols.ts'
import { blackholesName, protocolName, staticsName } from './render-customer.ts'
import type { Reply } from './reply.ts'

const AS_SET = 14
/** The first line of a route; its second line is the next hop. */
const BYTES_PER_LINE = 300
/** For all upstreams of a table: one that sends many should not hide the others. */
const MAX_LINES = 16 * MAX_REJECTIONS
/** Each costs a query for each prefix of a customer that no other upstream gets. */
const MAX_ASKED = 16

/**
 * Finds which of these prefixes of a customer are exported to an upstream: BIRD runs its export filters over them again.
 * Every established BGP session that is not a customer's counts as an upstream's. It asks for each prefix, which BIRD
 * looks up, because a query for the customer's protocol walks the whole table.
 */
export async function readAnnounced(
  ask: () => Promise<BirdControl & Disposable>,
  customerId: number,
  prefixes: readonly string[],
): Promise<Set<string>> {
  const announced = new Set<string>()
  using control = await ask()
  const upstreams = parseOwnNames(await control.command('show protocols'))
    .flatMap(({ name, established }) => (established ? [name] : []))
    .slice(0, MAX_ASKED)
  const own = ([4, 6] as const).flatMap((family) =>
    [protocolName, staticsName, blackholesName].map((nameOf) => `[${nameOf(customerId, family)} `),
  )
  for (const prefix of prefixes)
    for (const upstream of upstreams) {
      const reply = await control.command(`show route ${prefix} export '${upstream}'`)
      // A session without this family has no such channel.
      if (reply.code >= 8000 || !reply.lines.some(({ text }) => own.some((name) => text.includes(name)))) continue
      announced.add(prefix)
      break
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
      { maxSize: MAX_LINES * BYTES_PER_LINE },
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

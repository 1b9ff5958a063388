import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import { MAX_UPSTREAMS, type UpstreamSession } from '../index.ts'
import { expectSuccess, type BirdControl, type CommandOptions } from './control.ts'
import { parseOwnNames, parseUpstreams } from './parse-protocols.ts'
import { blackholesName, protocolName, staticsName } from './render-customer.ts'
import type { Reply } from './reply.ts'

/** Each costs six questions a customer. */
const MAX_ASKED = 16

/**
 * Which of a customer's routes leave to some upstream, by BIRD's own word: its export filters are run over them again.
 * Every established BGP session that is not a customer's counts as an upstream's.
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
        // A session that carries the other family alone has no such channel, and a customer no such protocol.
        if (reply.code < 8000) for (const prefix of parsePrefixes(reply)) announced.add(prefix)
      }
  return announced
}

/** The sessions towards other networks, but for those inside our own. */
export async function readUpstreams(control: BirdControl, localAsn: number): Promise<UpstreamSession[]> {
  const names = parseOwnNames(expectSuccess(await control.command('show protocols')))
  const upstreams: UpstreamSession[] = []
  for (const { name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_UPSTREAMS))
    // One that is gone by now matches nothing. Asked for all at once, customers' sessions would come along.
    upstreams.push(...parseUpstreams(await control.command(`show protocols all "${name}"`)))
  return upstreams.filter(({ asn }) => asn !== localAsn)
}

function* parsePrefixes(reply: Reply): Generator<string> {
  for (const { text } of reply.lines) {
    const parsed = tryParsePrefix(/^([0-9a-f.:]{2,39}\/\d{1,3})\s+\w+ \[/.exec(text)?.[1] ?? '')
    if (parsed) yield formatPrefix(parsed)
  }
}

import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import type { BirdControl, CommandOptions } from './control.ts'
import { blackholesName, protocolName, staticsName } from './render-customer.ts'
import type { Reply } from './reply.ts'

/** More than an edge has upstreams; each costs six questions a customer. */
const MAX_UPSTREAMS = 16

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
  const upstreams = await listUpstreams(ask)
  for (const family of [4, 6] as const)
    for (const upstream of upstreams)
      for (const nameOf of [protocolName, staticsName, blackholesName]) {
        using control = await ask()
        const reply = await control.command(
          `show route protocol ${nameOf(customerId, family)} export ${upstream}`,
          size,
        )
        // A session that carries the other family alone has no such channel, and a customer no such protocol.
        if (reply.code < 8000) for (const prefix of parsePrefixes(reply)) announced.add(prefix)
      }
  return announced
}

async function listUpstreams(ask: () => Promise<BirdControl & Disposable>): Promise<string[]> {
  using control = await ask()
  const reply = await control.command('show protocols')
  const names = reply.lines.flatMap(({ text }) => {
    const name = /^([A-Za-z_]\w*)\s+BGP\s+\S+\s+up\s.*\sEstablished\s*$/.exec(text)?.[1]
    return name && !name.startsWith('lh_') ? [name] : []
  })
  return names.slice(0, MAX_UPSTREAMS)
}

function* parsePrefixes(reply: Reply): Generator<string> {
  for (const { text } of reply.lines) {
    const parsed = tryParsePrefix(/^([0-9a-f.:]{2,39}\/\d{1,3})\s+\w+ \[/.exec(text)?.[1] ?? '')
    if (parsed) yield formatPrefix(parsed)
  }
}

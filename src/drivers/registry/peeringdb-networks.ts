/** Reads the AS-SET of a network in PeeringDB. Anyone can read it; only the network can write it. */
import { z } from 'zod'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { fetchJson } from './fetch-json.ts'
import { RegistryError } from './index.ts'

export interface PeeringDbNetworks {
  /**
   * Returns the free text of `irr_as_set`; null if it is empty, or there is no such network. Throws {@link
   * RegistryError}.
   */
  asSetOf(asn: number, signal?: AbortSignal): Promise<string | null>
}

const answerShape = z.object({
  data: z
    .array(z.object({ asn: z.int(), irr_as_set: z.string().max(1_000).catch(''), status: z.string().catch('ok') }))
    .max(100),
})

const HOUR_MS = 60 * 60_000
/** Anonymous callers are limited to a few requests a minute, and the text changes once in years. */
const KEEP_MS = 24 * HOUR_MS
const KEEP_ABSENT_MS = HOUR_MS
const MAX_KEPT = 1_000
const DEADLINE_MS = 10_000

export function createPeeringDbNetworks({
  base,
  clock = systemClock,
}: {
  base: string
  clock?: Clock
}): PeeringDbNetworks {
  const trustedOrigin = new URL(base).origin
  const kept = new Map<number, { text: string | null; until: number }>()
  return {
    async asSetOf(asn, caller) {
      const now = clock.now().getTime()
      const known = kept.get(asn)
      if (known && known.until > now) return known.text
      const signal = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ...(caller ? [caller] : [])])
      const text = await ask(new URL(`/api/net?asn=${asn}`, base).href, asn, { trustedOrigin, signal })
      kept.delete(asn)
      kept.set(asn, { text, until: now + (text === null ? KEEP_ABSENT_MS : KEEP_MS) })
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
      return text
    },
  }
}

async function ask(
  address: string,
  asn: number,
  rules: { trustedOrigin: string; signal: AbortSignal },
): Promise<string | null> {
  const { status, body } = await fetchJson(address, rules)
  if (status === 404) return null
  if (status !== 200) throw new RegistryError('unreachable', `PeeringDB answered ${status}.`)
  const parsed = answerShape.safeParse(body)
  if (!parsed.success)
    throw new RegistryError('protocol', 'PeeringDB did not answer with networks.', { cause: parsed.error })
  const network = parsed.data.data.find((one) => one.asn === asn && one.status === 'ok')
  return network && network.irr_as_set.trim() !== '' ? network.irr_as_set : null
}

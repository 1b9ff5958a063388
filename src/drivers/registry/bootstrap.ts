/** Which registry answers for which numbers (RFC 9224). */
import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { RegistryError } from './index.ts'

const bootstrapFile = z.object({
  services: z.array(z.tuple([z.array(z.string().max(30)).max(20_000), z.array(z.string().max(500)).max(20)])).max(200),
})

interface Range {
  readonly from: number
  readonly to: number
  readonly base: string
}

const DAY_MS = 24 * 60 * 60 * 1000

export interface Bootstrap {
  /** The base address of the server for this number; null when no registry names one. */
  baseOf(asn: number, signal: AbortSignal): Promise<string | null>
}

/** Reads the list once a day. A list that cannot be read anew stays in use: blocks change hands rarely. */
export function createBootstrap(load: (signal: AbortSignal) => Promise<unknown>, clock: Clock): Bootstrap {
  let known: { ranges: readonly Range[]; until: number } | null = null
  const current = async (signal: AbortSignal): Promise<readonly Range[]> => {
    const now = clock.now().getTime()
    if (known && known.until > now) return known.ranges
    try {
      known = { ranges: readBootstrap(await load(signal)), until: now + DAY_MS }
    } catch (error) {
      if (!known) throw error
    }
    return known.ranges
  }
  return {
    baseOf: async (asn, signal) =>
      (await current(signal)).find(({ from, to }) => from <= asn && asn <= to)?.base ?? null,
  }
}

function readBootstrap(document: unknown): Range[] {
  const parsed = bootstrapFile.safeParse(document)
  if (!parsed.success)
    throw new RegistryError('protocol', 'The list of registries is not of the form of RFC 9224.', {
      cause: parsed.error,
    })
  return parsed.data.services.flatMap(([numbers, addresses]) => {
    const base = addresses.find((address) => address.startsWith('https:')) ?? addresses[0]
    if (base === undefined || !URL.canParse(base)) return []
    return numbers.flatMap((text) => {
      const [, from, to = from] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? []
      return from === undefined
        ? []
        : [{ from: Number(from), to: Number(to), base: base.endsWith('/') ? base : `${base}/` }]
    })
  })
}

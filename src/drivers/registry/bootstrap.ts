/** Finds the registry of a number, address or domain (RFC 9224). */
import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { containsPrefix, tryParsePrefix, type Prefix } from '../../kernel/prefix.ts'
import { RegistryError } from './index.ts'

const bootstrapFile = z.object({
  services: z
    .array(z.tuple([z.array(z.string().max(60)).max(20_000), z.array(z.string().max(500)).max(20)]))
    .max(2_000),
})

const DAY_MS = 24 * 60 * 60 * 1000

type Load = (signal: AbortSignal) => Promise<unknown>

export interface Bootstrap<Subject> {
  /** Returns the base URL of the server for it; null if no registry has it. */
  baseOf(subject: Subject, signal: AbortSignal): Promise<string | null>
}

interface Range {
  readonly from: number
  readonly to: number
  readonly base: string
}

/** Ranges of AS numbers do not overlap. */
export const createBootstrap = (load: Load, clock: Clock): Bootstrap<number> =>
  daily(
    load,
    clock,
    (text, base): Range[] => {
      const [, from, to = from] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? []
      return from === undefined ? [] : [{ from: Number(from), to: Number(to), base }]
    },
    (ranges, asn) => ranges.find(({ from, to }) => from <= asn && asn <= to)?.base ?? null,
  )

/** Blocks overlap: the longest that contains the prefix applies (RFC 9224 section 5.1). */
export const createPrefixBootstrap = (load: Load, clock: Clock): Bootstrap<Prefix> =>
  daily(
    load,
    clock,
    (text, base) => {
      const block = tryParsePrefix(text)
      return block ? [{ block, base }] : []
    },
    (blocks, prefix) =>
      blocks.filter(({ block }) => containsPrefix(block, prefix)).toSorted((a, b) => b.block.length - a.block.length)[0]
        ?.base ?? null,
  )

/** By the last label (RFC 9224 section 4). */
export const createDomainBootstrap = (load: Load, clock: Clock): Bootstrap<string> =>
  daily(
    load,
    clock,
    (label, base) => [{ label: label.toLowerCase(), base }],
    (labels, domain) => labels.find(({ label }) => label === domain.split('.').at(-1))?.base ?? null,
  )

/** Reads the list once a day. If it cannot be refreshed, the old list stays in use: blocks rarely change hands. */
function daily<Entry, Subject>(
  load: Load,
  clock: Clock,
  read: (text: string, base: string) => Entry[],
  find: (entries: readonly Entry[], subject: Subject) => string | null,
): Bootstrap<Subject> {
  let known: { entries: readonly Entry[]; until: number } | null = null
  const current = async (signal: AbortSignal): Promise<readonly Entry[]> => {
    const now = clock.now().getTime()
    if (known && known.until > now) return known.entries
    try {
      known = { entries: readBootstrap(await load(signal), read), until: now + DAY_MS }
    } catch (error) {
      if (!known) throw error
    }
    return known.entries
  }
  return { baseOf: async (subject, signal) => find(await current(signal), subject) }
}

function readBootstrap<Entry>(document: unknown, read: (text: string, base: string) => Entry[]): Entry[] {
  const parsed = bootstrapFile.safeParse(document)
  if (!parsed.success)
    throw new RegistryError('protocol', 'The list of registries is not of the form of RFC 9224.', {
      cause: parsed.error,
    })
  return parsed.data.services.flatMap(([subjects, addresses]) => {
    const base = addresses.find((address) => address.startsWith('https:')) ?? addresses[0]
    if (base === undefined || !URL.canParse(base)) return []
    return subjects.flatMap((text) => read(text, base.endsWith('/') ? base : `${base}/`))
  })
}

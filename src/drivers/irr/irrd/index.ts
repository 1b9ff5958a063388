/** The Internet Routing Registry through an IRRd server, over its whois protocol. */
import { systemClock, type Clock } from '../../../kernel/clock.ts'
import { parseAsn } from '../../../kernel/asn.ts'
import { formatPrefix } from '../../../kernel/prefix.ts'
import { IrrError, isAsSetName, type IrrSource } from '../index.ts'
import { createAnswerCache } from './answer-cache.ts'
import { openConnection, type IrrdConnection } from './connection.ts'
import type { IrrdAnswer } from './framing.ts'
import { readRouteObjects } from './route-objects.ts'

export interface IrrdOptions {
  readonly host: string
  readonly port: number
  /** Registries to ask, the most trusted first; empty asks all that the server has. */
  readonly sources: readonly string[]
  readonly deadlineMs?: number
  readonly clock?: Clock
}

/** For how long an answer is given again. */
const CACHE_MS = 60_000
/** A set that expands to more is a whole region of the Internet, and no customer's list of downstreams. */
const MAX_ASNS = 10_000

export function createIrrd(options: IrrdOptions): IrrSource {
  const { host, port, deadlineMs = 15_000, clock = systemClock } = options
  const sources = options.sources.map((source) => source.trim().toUpperCase()).filter((source) => source !== '')
  if (!sources.every((source) => /^[A-Z][A-Z0-9-]{0,31}$/.test(source)))
    throw new TypeError(`IRR sources are names like RIPE or RADB, got "${options.sources.join(',')}"`)
  const cache = createAnswerCache(CACHE_MS, clock)
  let connection: IrrdConnection | null = null

  const open = (restriction: readonly string[]): IrrdConnection => {
    const choice = restriction.length > 0 ? [`!s${restriction.join(',')}`] : []
    return openConnection({ host, port, deadlineMs, greeting: ['!nlonghaul', ...choice] })
  }
  const ask = async (commands: readonly string[]): Promise<IrrdAnswer[]> => {
    const reused = connection?.isOpen ? connection : null
    try {
      return await (reused ?? (connection = open(sources))).ask(commands)
    } catch (error) {
      // A kept connection may have ended at the very moment: that says nothing about the server.
      if (!reused || !(error instanceof IrrError) || error.kind !== 'unreachable') throw error
      return (connection?.isOpen ? connection : (connection = open(sources))).ask(commands)
    }
  }
  /** A set of one named registry: on a connection of its own, because the choice of sources lasts as long as that. */
  const askOnly = async (source: string, commands: readonly string[]): Promise<IrrdAnswer[]> => {
    const own = open([source])
    try {
      return await own.ask(commands)
    } finally {
      own.close()
    }
  }

  return {
    routeObjects: (prefix, signal) => {
      const text = formatPrefix(prefix)
      return unless(
        signal,
        cache.get(`route ${text}`, async () => {
          const answers = await ask([`!r${text}`, `!r${text},L`])
          return readRouteObjects(answers.map(textOf).join('\n\n'), prefix)
        }),
      )
    },
    expandAsSet: async (name, signal) => {
      if (!isAsSetName(name)) throw new IrrError('protocol', 'This is no AS-SET name: write it like AS-EXAMPLE.')
      const [, source, set = ''] = /^(?:([A-Z0-9-]+)::)?(.*)$/i.exec(name.toUpperCase()) ?? []
      return unless(
        signal,
        cache.get(`set ${source ?? ''} ${set}`, async () => {
          const commands = [`!i${set},1`]
          const [answer] = await (source ? askOnly(source, commands) : ask(commands))
          return answer!.kind === 'missing' ? null : readMembers(textOf(answer!))
        }),
      )
    },
    close: async () => connection?.close(),
  }
}

function textOf(answer: IrrdAnswer): string {
  if (answer.kind === 'refused') throw new IrrError('protocol', `The registry refused the question: ${answer.message}`)
  return answer.kind === 'data' ? answer.text : ''
}

/** Members that are no ASN (a set which could not be resolved, say) are not made up. */
function readMembers(text: string): { asns: number[]; truncated: boolean } {
  const asns = new Set(
    text
      .split(/\s+/)
      .map(parseAsn)
      .filter((asn) => asn !== null),
  )
  const sorted = [...asns].toSorted((a, b) => a - b)
  return { asns: sorted.slice(0, MAX_ASNS), truncated: sorted.length > MAX_ASNS }
}

/** The shared answer, or the end of this caller's patience; others may still wait for the same one. */
async function unless<T>(signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
  if (!signal) return answer
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const give = () => reject(signal.reason)
  signal.addEventListener('abort', give, { once: true })
  try {
    return await Promise.race([answer, promise])
  } finally {
    signal.removeEventListener('abort', give)
  }
}

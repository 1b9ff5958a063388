/** The Internet Routing Registry through an IRRd server, using its whois protocol. */
import { systemClock, type Clock } from '../../../kernel/clock.ts'
import { formatPrefix } from '../../../kernel/prefix.ts'
import { IrrError, isAsSetName, splitAsSetName, type AutNumObject, type IrrSource, type RouteObject } from '../index.ts'
import { createAnswerCache } from './answer-cache.ts'
import { openConnection, type IrrdConnection } from './connection.ts'
import { expandSet, type FoundSet } from './expand.ts'
import type { IrrdAnswer } from './framing.ts'
import { readPrefixes, readRouteObjects } from './route-objects.ts'
import { readAsSet, readAutNum } from './rpsl.ts'

export interface IrrdOptions {
  readonly host: string
  readonly port: number
  /** The certificate has to name the host. */
  readonly tls?: boolean
  /** In PEM, instead of the authorities that Node trusts. */
  readonly ca?: string
  /** The registries to query, the most trusted first. */
  readonly sources: readonly string[]
  readonly deadlineMs?: number
  readonly clock?: Clock
}

/** How long an answer is cached. */
const CACHE_MS = 60_000
/** Sets that are requested in one write: an answer may have hundreds of kilobytes. */
const SETS_AT_ONCE = 50

export function createIrrd(options: IrrdOptions): IrrSource {
  const { host, port, tls = false, ca, deadlineMs = 15_000, clock = systemClock } = options
  const sources = options.sources.map((source) => source.trim().toUpperCase()).filter((source) => source !== '')
  if (sources.length === 0 || !sources.every((source) => /^[A-Z][A-Z0-9-]{0,31}$/.test(source)))
    throw new TypeError(`IRR sources are names like RIPE or RADB, got "${options.sources.join(',')}"`)
  const cache = createAnswerCache(CACHE_MS, clock)
  let connection: IrrdConnection | null = null

  const open = (chosen: readonly string[]): IrrdConnection =>
    openConnection({
      host,
      port,
      tls,
      ca,
      deadlineMs,
      greeting: ['!nlonghaul', ...(chosen.length > 0 ? [`!s${chosen.join(',')}`] : [])],
    })
  const ask = async (commands: readonly string[]): Promise<IrrdAnswer[]> => {
    const reused = connection?.isOpen ? connection : null
    try {
      return await (reused ?? (connection = open(sources))).ask(commands)
    } catch (error) {
      // A reused connection may have closed at that very moment: that says nothing about the server.
      if (!reused || !(error instanceof IrrError) || error.kind !== 'unreachable') throw error
      return (connection?.isOpen ? connection : (connection = open(sources))).ask(commands)
    }
  }
  /** Uses a separate connection, because the selected registry applies to the whole connection. */
  const askEach = async <T>(ask: (inSource: AskIn) => Promise<T>): Promise<T> => {
    const own = open([])
    try {
      return await ask((source, commands) => askIn(own, source, commands))
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
    expandAsSet: async (text, signal) => {
      if (!isAsSetName(text)) throw new IrrError('protocol', 'This is no AS-SET name: write it like AS-EXAMPLE.')
      const wanted = splitAsSetName(text)
      if (wanted.source !== null && !sources.includes(wanted.source)) return { kind: 'missing' }
      return unless(
        signal,
        cache.get(`set ${wanted.source ?? ''} ${wanted.name}`, () =>
          askEach((inSource) =>
            expandSet(wanted, sources, async (source, names) => {
              const found = new Map<string, FoundSet>()
              for (let at = 0; at < names.length; at += SETS_AT_ONCE) {
                const some = names.slice(at, at + SETS_AT_ONCE)
                const answers = await inSource(
                  source,
                  some.flatMap((name) => [`!mas-set,${name}`, `!i${name}`]),
                )
                for (const [index, name] of (answers ? some : []).entries()) {
                  const object = readAsSet(textOf(answers![index * 2]!), name, source)
                  if (object) found.set(name, { object, members: wordsIn(textOf(answers![index * 2 + 1]!)) })
                }
              }
              return found
            }),
          ),
        ),
      )
    },
    autNums: (asn, signal) =>
      unless(
        signal,
        cache.get(`aut-num ${asn}`, () =>
          askEach(async (inSource) => {
            const found: AutNumObject[] = []
            for (const source of sources) {
              const answers = await inSource(source, [`!maut-num,AS${asn}`])
              const object = answers && readAutNum(textOf(answers[0]!), asn, source)
              if (object) found.push(object)
            }
            return found
          }),
        ),
      ),
    originated: (asns, signal) =>
      unless(
        signal,
        askEach(async (inSource) => {
          const found: RouteObject[] = []
          for (const source of sources) {
            const answers = await inSource(
              source,
              asns.flatMap((asn) => [`!gAS${asn}`, `!6AS${asn}`]),
            )
            for (const [at, answer] of (answers ?? []).entries()) {
              const origin = asns[Math.floor(at / 2)]!
              found.push(...readPrefixes(textOf(answer)).map((prefix) => ({ prefix, origin, source })))
            }
          }
          return found
        }),
      ),
    close: async () => connection?.close(),
  }
}

/** The answers of one registry; null if the server does not have it. */
type AskIn = (source: string, commands: readonly string[]) => Promise<IrrdAnswer[] | null>

async function askIn(
  connection: IrrdConnection,
  source: string,
  commands: readonly string[],
): Promise<IrrdAnswer[] | null> {
  const [chosen, ...answers] = await connection.ask([`!s${source}`, ...commands])
  // The server rejected the selection, so these answers come from the registry selected before.
  return chosen!.kind === 'refused' ? null : answers
}

function textOf(answer: IrrdAnswer): string {
  if (answer.kind === 'refused') throw new IrrError('protocol', `The registry refused the question: ${answer.message}`)
  return answer.kind === 'data' ? answer.text : ''
}

const wordsIn = (text: string): string[] => text.toUpperCase().split(/\s+/).filter(Boolean)

/** Returns the shared answer, or stops waiting for this caller; others may still wait for the same one. */
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

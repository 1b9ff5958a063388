/** VRPs from a validator's JSON export: a file or a URL, read again periodically. */
import { systemClock, type Clock } from '../../../kernel/clock.ts'
import { buildFromExport } from '../build.ts'
import type { RpkiSource } from '../index.ts'
import { createLiveVrps } from '../live-vrps.ts'

export interface JsonSourceOptions {
  /** A path, or an http(s) URL. */
  readonly location: string
  readonly refreshMs?: number
  /** The age of the data, by its own timestamp, from which the report says `stale`. */
  readonly staleAfterMs?: number
  /** The age from which every answer is UNKNOWN. */
  readonly expireAfterMs?: number
  readonly clock?: Clock
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export function createJsonSource(options: JsonSourceOptions): RpkiSource {
  const { location, refreshMs = 10 * MINUTE, staleAfterMs = 2 * HOUR, expireAfterMs = 6 * HOUR } = options
  const clock = options.clock ?? systemClock
  const live = createLiveVrps(`json ${location}`, clock)
  const closing = new AbortController()
  let tag: string | null = null
  let timer: NodeJS.Timeout | undefined

  async function refresh(): Promise<void> {
    const read = await buildFromExport(location, tag, clock.now(), closing.signal)
    if (!read || closing.signal.aborted) return
    const now = clock.now()
    const said = read.changedAt ?? now
    const asOf = said > now ? now : said // a validator whose clock is ahead must not be trusted for longer
    const after = (ms: number) => new Date(asOf.getTime() + ms)
    live.publish({
      index: read.index,
      aspas: read.aspas,
      asOf,
      staleAt: after(staleAfterMs),
      expiresAt: after(expireAfterMs),
    })
    tag = read.tag
  }
  async function round(): Promise<void> {
    try {
      await refresh()
    } catch (error) {
      live.fail(`${location}: ${error instanceof Error ? error.message : String(error)}`)
    }
    if (closing.signal.aborted) return
    timer = setTimeout(() => {
      current = round()
    }, refreshMs).unref()
  }
  let current = round()

  return {
    validate: live.validate,
    verdict: live.verdict,
    aspa: live.aspa,
    report: live.report,
    onChange: live.onChange,
    async close() {
      closing.abort()
      clearTimeout(timer)
      live.stop()
      await current
    },
  }
}

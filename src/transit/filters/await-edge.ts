/** Waits, for a person's sake, until the edge does what was just decided. */
import type { News, NewsBus } from '../../platform/events.ts'
import type { Db } from '../../platform/db/index.ts'
import { THE_EDGE } from '../tables.ts'

const WAIT_MS = 5_000
/** News may be lost on a broken connection: a look now and then finds what it would have said. */
const LOOK_EVERY_MS = 500

/** True once the edge holds the prefix (`loaded`) or has dropped it (not `loaded`); false when it does not within five seconds. */
export async function awaitEdge(
  { db, bus }: { db: Db; bus: NewsBus },
  prefixId: number,
  loaded: boolean,
  since: Date,
): Promise<boolean> {
  const deadline = performance.now() + WAIT_MS
  const ear = listenFor(bus, (news) => news.type === 'edge' || (news.type === 'prefix' && news.id === prefixId))
  try {
    for (;;) {
      const heard = ear.next()
      if (await isSettled(db, prefixId, loaded)) return true
      const remaining = deadline - performance.now()
      if (remaining <= 0 || (await failedSince(db, since))) return false
      await heard(Math.min(LOOK_EVERY_MS, remaining))
    }
  } finally {
    ear.close()
  }
}

async function isSettled(db: Db, prefixId: number, loaded: boolean): Promise<boolean> {
  const row = await db
    .selectFrom('transit_prefixes')
    .select('imported_at')
    .where('id', '=', prefixId)
    .executeTakeFirst()
  return (row?.imported_at != null) === loaded
}

/** The edge was tried after the decision and would not: no use in waiting on. */
async function failedSince(db: Db, since: Date): Promise<boolean> {
  const edge = await db
    .selectFrom('transit_edges')
    .select(['attempted_at', 'error_kind'])
    .where('id', '=', THE_EDGE)
    .executeTakeFirstOrThrow()
  return edge.error_kind === 'refused' && edge.attempted_at !== null && edge.attempted_at > since
}

/** `next()` starts to listen at once, so that news between the look and the wait is not missed. */
function listenFor(bus: NewsBus, matters: (news: News) => boolean) {
  let ring: () => void = () => undefined
  const unsubscribe = bus.subscribe((news) => {
    if (news === 'resync' || matters(news)) ring()
  })
  return {
    next(): (timeoutMs: number) => Promise<void> {
      const rung = new Promise<void>((resolve) => {
        ring = resolve
      })
      return async (timeoutMs) => {
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, timeoutMs)
        })
        await Promise.race([rung, late])
        clearTimeout(timer)
      }
    },
    close: unsubscribe,
  }
}

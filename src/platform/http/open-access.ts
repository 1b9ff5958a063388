/**
 * Closes event streams and consoles, which outlive their request, once their caller has lost access. Change events
 * trigger a check at once. The check every few seconds finds what no event reports: an expired session, or a lost
 * notification.
 */
import type { ChangeEvent, ChangeBus } from '../events.ts'
import type { Log } from '../log.ts'

/** Including the time of the check, access ends within 5 s even without an event. */
const CHECK_EVERY_MS = 4_000

export interface OpenAccessOptions<T> {
  readonly bus: ChangeBus
  readonly log: Log
  /** Returns whether this event may have ended the access. */
  readonly concerns: (changeEvent: ChangeEvent, subject: T) => boolean
  /** Returns which streams may continue, with one query for all open streams. */
  readonly mayContinue: (subjects: readonly T[]) => Promise<readonly boolean[]>
}

export interface OpenAccess<T> {
  /**
   * `end` is called once, when the subject may not continue. Call the returned function when the stream has closed on
   * its own.
   */
  add(subject: T, end: () => void): () => void
}

interface Entry<T> {
  readonly subject: T
  readonly end: () => void
}

export function watchOpenAccess<T>({ bus, log, concerns, mayContinue }: OpenAccessOptions<T>): OpenAccess<T> {
  const open = new Set<Entry<T>>()
  let timer: NodeJS.Timeout | undefined
  let checking = false

  const check = async (entries: readonly Entry<T>[]): Promise<void> => {
    if (entries.length === 0) return
    try {
      const may = await mayContinue(entries.map((entry) => entry.subject))
      for (const [index, entry] of entries.entries()) if (!may[index] && open.delete(entry)) entry.end()
    } catch (error) {
      // An unavailable database is no reason to close every console and stream.
      log.warn({ err: error }, 'cannot check whether open streams and consoles may continue')
    }
  }
  const checkAll = async (): Promise<void> => {
    if (checking) return
    checking = true
    await check([...open])
    checking = false
  }
  bus.subscribe((changeEvent) => {
    void check(changeEvent === 'resync' ? [...open] : [...open].filter((entry) => concerns(changeEvent, entry.subject)))
  })

  return {
    add(subject, end) {
      const entry = { subject, end }
      open.add(entry)
      timer ??= setInterval(() => void checkAll(), CHECK_EVERY_MS)
      return () => {
        open.delete(entry)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

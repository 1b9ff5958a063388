import type { HypervisorEvent } from './index.ts'

/** A reader that is this far behind is told to read everything again instead. */
const BACKLOG_LIMIT = 1_000

/**
 * Sends each event to every reader. A reader starts with `connected`, or with `lost` if there is no connection, and
 * gets no earlier events.
 */
export class EventHub {
  readonly #readers = new Set<(event: HypervisorEvent) => void>()

  emit(event: HypervisorEvent): void {
    for (const reader of this.#readers) reader(event)
  }

  async *read(signal: AbortSignal, connected: boolean): AsyncGenerator<HypervisorEvent> {
    const backlog: HypervisorEvent[] = connected ? [{ type: 'connected' }] : []
    let begun = connected
    let wake = () => {}
    const accept = (event: HypervisorEvent) => {
      begun ||= event.type === 'connected' || event.type === 'lost'
      if (!begun) return
      if (backlog.length >= BACKLOG_LIMIT) backlog.splice(0, backlog.length, { type: 'connected' })
      else backlog.push(event)
      wake()
    }
    const stop = () => wake()
    this.#readers.add(accept)
    signal.addEventListener('abort', stop)
    try {
      while (!signal.aborted) {
        const event = backlog.shift()
        if (event !== undefined) yield event
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      this.#readers.delete(accept)
      signal.removeEventListener('abort', stop)
    }
  }
}

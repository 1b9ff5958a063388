import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'

/** The part of the browser's EventSource that is used: the test is the server. */
class Source extends EventTarget {
  static readonly CLOSED = 2
  static opened: Source | undefined
  readyState = 1
  constructor() {
    super()
    Source.opened = this
  }
  close(): void {
    this.readyState = Source.CLOSED
  }
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a list is read again once for changes that come together, and not for those of other nouns', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Source)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '', querySelector: () => null }))
  vi.stubGlobal('fetch', async () => Response.json({ id: 1 }))
  const { openEventStream } = await import('./event-stream.ts')
  const { keepQueriesLive } = await import('./live-queries.ts')
  const { queryClient } = await import('./query-client.ts')
  const { refreshUser } = await import('../runtime/session.ts')
  await refreshUser()
  const close = openEventStream()
  const stop = keepQueriesLive()
  let reads = 0
  const observer = new QueryObserver(queryClient, {
    queryKey: ['sessions'],
    queryFn: () => (reads += 1),
    meta: { topics: ['session'] },
  })
  const leave = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBe(1)
  const hear = (type: string) =>
    Source.opened!.dispatchEvent(new MessageEvent('news', { data: JSON.stringify({ type, id: 1 }) }))
  for (let event = 0; event < 6; event++) {
    hear('session')
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBe(2)
  hear('prefix')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBe(2)
  hear('session')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBe(3)
  leave()
  stop()
  close()
})

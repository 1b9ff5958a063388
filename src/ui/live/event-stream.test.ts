import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** The part of the browser's EventSource that is used: the test is the server. */
class Source extends EventTarget {
  static readonly CLOSED = 2
  static opened: Source[] = []
  readyState = 1
  constructor() {
    super()
    Source.opened.push(this)
  }
  close(): void {
    this.readyState = Source.CLOSED
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Source)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '', querySelector: () => null }))
  Source.opened = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('two missed heartbeats are a lost stream: it says so, and asks again until something is heard', async () => {
  const { openEventStream, streamState } = await import('./event-stream.ts')
  const close = openEventStream()
  Source.opened[0]!.dispatchEvent(new Event('open'))
  for (let beat = 0; beat < 6; beat++) {
    await vi.advanceTimersByTimeAsync(10_000)
    Source.opened[0]!.dispatchEvent(new Event('heartbeat'))
  }
  expect(streamState.current()).toBe('live')
  await vi.advanceTimersByTimeAsync(22_000)
  expect(streamState.current()).toBe('lost')
  expect(Source.opened.map(({ readyState }) => readyState)).toEqual([2, 1])
  Source.opened[1]!.dispatchEvent(new Event('open'))
  expect(streamState.current()).toBe('live')
  close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(Source.opened).toHaveLength(2)
})

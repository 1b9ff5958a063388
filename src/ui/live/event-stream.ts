/** One event stream for the page. When lost, it says so and reconnects; when back, everything is read again. */
import { isStillSignedIn } from '../runtime/session.ts'
import { parseChangeEvent, type ChangeEvent } from './change-events.ts'

/** `idle`: not opened. `lost`: what is on screen may be old. */
export type StreamState = 'idle' | 'connecting' | 'live' | 'lost'

/** `resync`: events may have been missed, so everything may be old. */
type ChangeListener = (changeEvent: ChangeEvent | 'resync') => void

const RETRY_FIRST_MS = 1_000
/** Long enough to spare a server that is starting, short enough that nobody reloads by hand. */
const RETRY_MOST_MS = 20_000

/** Twice the server's heartbeat of 10 s, and a second for the network: a frozen server closes nothing. */
const SILENCE_MS = 21_000

let state: StreamState = 'idle'
let source: EventSource | null = null
let retry: ReturnType<typeof setTimeout> | undefined
let watchdog: ReturnType<typeof setTimeout> | undefined
let failures = 0
const listeners = new Set<ChangeListener>()
const watchers = new Set<() => void>()

function become(next: StreamState): void {
  if (state === next) return
  state = next
  for (const notifyWatcher of watchers) notifyWatcher()
}

async function deliver(changeEvent: ChangeEvent | 'resync'): Promise<void> {
  if (!(await isStillSignedIn())) return
  for (const listen of listeners) listen(changeEvent)
}

function connect(): void {
  // First catch up with changes since the page was opened: its data may be older than the stream.
  const stream = new EventSource(`/api/events?age=${Math.ceil(performance.now())}`)
  source = stream
  stayAwake()
  for (const sign of ['hello', 'heartbeat', 'news', 'resync']) stream.addEventListener(sign, stayAwake)
  stream.addEventListener('open', () => {
    const missed = state === 'lost'
    failures = 0
    become('live')
    if (missed) void deliver('resync')
  })
  stream.addEventListener('news', (event: MessageEvent<string>) => {
    const changeEvent = parseChangeEvent(event.data)
    if (changeEvent) void deliver(changeEvent.type === 'resync' ? 'resync' : changeEvent)
  })
  stream.addEventListener('resync', () => void deliver('resync'))
  stream.addEventListener('error', () => {
    become('lost')
    // The browser reconnects after a dropped connection, but not after an error response such as a proxy's 502.
    if (stream.readyState !== EventSource.CLOSED) return
    clearTimeout(watchdog)
    failures += 1
    retry = setTimeout(connect, Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** failures) * (0.5 + Math.random() / 2))
  })
}

/** Restarts the silence timer. When the server stays silent that long, a new connection is opened. */
function stayAwake(): void {
  clearTimeout(watchdog)
  watchdog = setTimeout(() => {
    source?.close()
    become('lost')
    connect()
  }, SILENCE_MS)
}

/** Opens the stream, once however often it is called. The returned function closes it. */
export function openEventStream(): () => void {
  if (source === null) {
    become('connecting')
    connect()
  }
  return () => {
    clearTimeout(retry)
    clearTimeout(watchdog)
    source?.close()
    source = null
    failures = 0
    become('idle')
  }
}

export function onChangeEvent(listener: ChangeListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const streamState = {
  current: (): StreamState => state,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
}

import { closed, closeText, consoleAddress, OPEN, consoleDenialText, type ConsoleState } from './console-link.ts'

/** Below what the server takes in one message; pasting a whole configuration takes many of them. */
const MOST_AT_ONCE = 4096

export interface SerialEnds {
  readonly onBytes: (bytes: Uint8Array) => void
  /** Passes the function that sends, while the console is connected; null otherwise. */
  readonly onSend: (send: ((text: string) => void) | null) => void
}

/** Connects to the serial console of a router until the signal ends it. */
export function connectSerial(
  routerId: number,
  ends: SerialEnds,
  signal: AbortSignal,
  become: (state: ConsoleState) => void,
): void {
  consoleAddress('serial', routerId, signal).then(
    (url) => openSocket(url, ends, signal, become),
    (error: unknown) => {
      if (!signal.aborted) become(closed(consoleDenialText(error)))
    },
  )
}

function openSocket(
  url: string,
  { onBytes, onSend }: SerialEnds,
  signal: AbortSignal,
  become: (state: ConsoleState) => void,
): void {
  if (signal.aborted) return
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  const utf8 = new TextEncoder()
  socket.addEventListener('open', () => {
    become(OPEN)
    onSend((text) => {
      const bytes = utf8.encode(text)
      for (let at = 0; at < bytes.length; at += MOST_AT_ONCE) socket.send(bytes.subarray(at, at + MOST_AT_ONCE))
    })
  })
  socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => onBytes(new Uint8Array(data)))
  socket.addEventListener('close', (event) => {
    if (!signal.aborted) onSend(null)
    become(closed(closeText(event)))
  })
  signal.addEventListener('abort', () => {
    onSend(null)
    socket.close()
  })
}

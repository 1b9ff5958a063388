/** The serial console, with its terminal in a separate chunk. */
import { useCallback, useEffect, useRef } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { notify } from '../../ui/runtime/notifications.ts'
import type { Router } from '../contract.ts'
import { ConsoleFrame } from './ConsoleFrame.tsx'
import type { ConsoleState } from './console-link.ts'
import { blockedReason } from './router-labels.ts'
import { recall, remember } from './serial-history.ts'
import { connectSerial } from './serial-socket.ts'
import { openTerminal, type OpenTerminal } from './terminal.ts'
import { useAttempts } from './use-attempts.ts'

export default function SerialConsole({ router }: { router: Pick<Router, 'id' | 'name' | 'state'> }) {
  const { id, name } = router
  const frame = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<OpenTerminal>(null)
  const send = useRef<((text: string) => void) | null>(null)

  useEffect(() => {
    if (!place.current) return
    const opened = openTerminal(place.current, () => frame.current?.querySelector('button')?.focus())
    screen.current = opened
    for (const bytes of recall(id)) opened.terminal.write(bytes)
    opened.terminal.onData((text) => send.current?.(text))
    return () => {
      screen.current = null
      opened.close()
    }
  }, [id])

  const connect = useCallback(
    (signal: AbortSignal, become: (state: ConsoleState) => void) => {
      const ends = {
        onBytes: (bytes: Uint8Array) => {
          remember(id, bytes)
          screen.current?.terminal.write(bytes)
        },
        onSend: (next: typeof send.current) => {
          send.current = next
          if (next) screen.current?.terminal.focus()
        },
      }
      connectSerial(id, ends, signal, become)
    },
    [id],
  )
  const { state, again } = useAttempts(connect, blockedReason(router, 'serial'))
  const paste = async () => {
    try {
      screen.current?.terminal.paste(await navigator.clipboard.readText())
    } catch {
      notify({ type: 'error', title: 'Your browser refused to paste', body: 'Press Ctrl+Shift+V in the terminal.' })
    }
    screen.current?.terminal.focus()
  }
  return (
    <div ref={frame}>
      <ConsoleFrame
        state={state}
        onReconnect={again}
        hint="Enter shows the prompt. Shift+Esc leaves the terminal."
        tools={
          <Button
            size="sm"
            variant="quiet"
            disabledReason={state.phase === 'open' ? null : 'The console is not connected.'}
            onClick={() => void paste()}
          >
            Paste
          </Button>
        }
      >
        <div className="bg-[#0f1218] p-2">
          <section
            ref={place}
            aria-label={`Serial console of ${name}`}
            data-takes-keys
            className="h-[max(20rem,calc(100dvh-17rem))] max-md:h-[max(16rem,calc(100dvh-24rem))]"
          />
        </div>
      </ConsoleFrame>
    </div>
  )
}

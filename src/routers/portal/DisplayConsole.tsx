/** The graphical console (RFB, RFC 6143), with its client in a separate chunk. */
import RFB from '@novnc/novnc'
import { useCallback, useRef } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import type { Router } from '../contract.ts'
import { ConsoleFrame } from './ConsoleFrame.tsx'
import { closed, consoleAddress, OPEN, consoleDenialText, type ConsoleState } from './console-link.ts'
import { blockedReason } from './router-labels.ts'
import { useAttempts } from './use-attempts.ts'

export default function DisplayConsole({ router }: { router: Pick<Router, 'id' | 'name' | 'state'> }) {
  const { id, name } = router
  const place = useRef<HTMLDivElement>(null)
  const client = useRef<RFB>(null)

  const connect = useCallback(
    (signal: AbortSignal, become: (state: ConsoleState) => void) => {
      consoleAddress('display', id, signal).then(
        (url) => {
          if (!place.current || signal.aborted) return
          const rfb = openDisplay(place.current, url, become)
          client.current = rfb
          signal.addEventListener('abort', () => rfb.disconnect())
        },
        (error: unknown) => {
          if (!signal.aborted) become(closed(consoleDenialText(error)))
        },
      )
    },
    [id],
  )
  const { state, again } = useAttempts(connect, blockedReason(router, 'display'))
  return (
    <ConsoleFrame
      state={state}
      onReconnect={again}
      hint="Click the display to type."
      tools={
        <>
          <Button
            size="sm"
            variant="quiet"
            disabledReason={state.phase === 'open' ? null : 'The display is not connected.'}
            onClick={() => client.current?.sendCtrlAltDel()}
          >
            Ctrl Alt Del
          </Button>
          <Button
            size="sm"
            variant="quiet"
            className="max-sm:hidden"
            onClick={() => void place.current?.requestFullscreen()}
          >
            Full screen
          </Button>
        </>
      }
    >
      <section
        ref={place}
        aria-label={`Display of ${name}`}
        data-takes-keys
        className="h-[max(20rem,calc(100dvh-17rem))] bg-[#0f1218] max-md:h-[max(16rem,calc(100dvh-24rem))]"
      />
    </ConsoleFrame>
  )
}

function openDisplay(place: HTMLElement, url: string, become: (state: ConsoleState) => void): RFB {
  const rfb = new RFB(place, url, { shared: true })
  rfb.scaleViewport = true
  rfb.background = 'transparent'
  rfb.addEventListener('connect', () => become(OPEN))
  rfb.addEventListener('disconnect', (event) => {
    const clean: unknown = event instanceof CustomEvent ? Reflect.get(Object(event.detail), 'clean') : false
    become(
      closed(clean === true ? 'Disconnected: the router was turned off.' : 'The connection to the display was lost.'),
    )
  })
  return rfb
}

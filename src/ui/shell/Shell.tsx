import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { openEventStream } from '../live/event-stream.ts'
import { keepQueriesLive } from '../live/live-queries.ts'
import type { CurrentUser } from '../runtime/session.ts'
import type { PaletteProps } from './CommandPalette.tsx'
import type { Overlay } from './frame-props.ts'
import { PhoneBars } from './PhoneBars.tsx'
import { Reconnecting } from './Reconnecting.tsx'
import { Sidebar } from './Sidebar.tsx'
import { useFrameKeys } from './use-frame-keys.ts'

const KeysDialog = lazy(() => import('./KeysDialog.tsx'))
const SupportDialog = lazy(() => import('./SupportDialog.tsx'))

export interface ShellProps {
  readonly user: CurrentUser
  readonly onSignOut: () => void
  /** Fetched when it is first opened. */
  readonly palette: ComponentType<PaletteProps>
  /** A bar below everything, for staff. */
  readonly bar?: ReactNode
  /** A notice above everything that must not be overlooked. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** The app frame around every page of a signed-in user: the navigation, the user, and whether the page is live. */
export function Shell({ user, onSignOut, palette: Palette, bar, notice, children }: ShellProps) {
  const [overlay, setOverlay] = useState<Overlay>(null)
  useEffect(openEventStream, [])
  useEffect(keepQueriesLive, [])
  useFrameKeys(setOverlay, user)
  const close = () => setOverlay(null)
  return (
    <div className="md:grid md:min-h-dvh md:grid-cols-[13.75rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-surface px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Sidebar user={user} onOpen={setOverlay} onSignOut={onSignOut} />
      <div className="flex min-w-0 flex-col">
        <PhoneBars user={user} onOpen={setOverlay} onSignOut={onSignOut} />
        {notice}
        <Reconnecting />
        {/* On the widest displays it grows and stays centered: at the left edge it would look lost. */}
        <main
          id="main"
          className="mx-auto w-full max-w-[clamp(82rem,62vw,140rem)] flex-1 px-4 pt-5 pb-24 md:px-8 md:pt-6 md:pb-12"
        >
          {children}
        </main>
        {bar}
      </div>
      <Suspense>
        {overlay === 'palette' && <Palette onClose={close} onOpen={setOverlay} onSignOut={onSignOut} user={user} />}
        {overlay === 'keys' && <KeysDialog open onClose={close} user={user} />}
        {overlay === 'support' && <SupportDialog open onClose={close} />}
      </Suspense>
    </div>
  )
}

import { QueryClientProvider, QueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, type ComponentType, type ReactNode } from 'react'
import { queryClient } from '../live/query-client.ts'
import { useLookingOnly } from '../looking-only.ts'
import { signOut, useUser } from '../session.ts'
import { ChangeRefusalContext } from '../ui/change-refusal.ts'
import type { PaletteProps } from './CommandPalette.tsx'
import { Shell } from './Shell.tsx'

export interface SignedInFrameProps {
  readonly palette: ComponentType<PaletteProps>
  readonly bar?: ReactNode
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** The frame with whoever is signed in; without one, while the guards lead away, only the content. */
export function SignedInFrame({ palette, bar, notice, children }: SignedInFrameProps) {
  const user = useUser()
  const lookingOnly = useLookingOnly(user?.acting)
  const router = useRouter()
  const leave = useCallback(() => {
    void signOut().then(() => router.navigate({ to: '/login' }))
  }, [router])
  return (
    <QueryClientProvider client={queryClient}>
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <>
            <ForgiveOnNavigation reset={reset} />
            {user ? (
              <ChangeRefusalContext value={lookingOnly}>
                <Shell user={user} onSignOut={leave} palette={palette} bar={bar} notice={notice}>
                  {children}
                </Shell>
              </ChangeRefusalContext>
            ) : (
              children
            )}
          </>
        )}
      </QueryErrorResetBoundary>
    </QueryClientProvider>
  )
}

/** Coming back to a screen that failed means asking again, not meeting the old error. */
function ForgiveOnNavigation({ reset }: { reset: () => void }) {
  const router = useRouter()
  const latest = useRef(reset)
  useEffect(() => {
    latest.current = reset
  })
  useEffect(() => router.subscribe('onBeforeLoad', () => latest.current()), [router])
  return null
}

import { QueryClientProvider, QueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, type ComponentType, type ReactNode } from 'react'
import { queryClient } from '../live/query-client.ts'
import { useImpersonationReadOnlyReason } from '../runtime/read-only.ts'
import { signOut, useUser } from '../runtime/session.ts'
import { ReadOnlyReasonContext } from '../components/change-denial.ts'
import type { PaletteProps } from './CommandPalette.tsx'
import { Shell } from './Shell.tsx'

export interface SignedInFrameProps {
  readonly palette: ComponentType<PaletteProps>
  readonly bar?: ReactNode
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** Renders the app frame for the signed-in user; when signed out, while the guards redirect, only the content. */
export function SignedInFrame({ palette, bar, notice, children }: SignedInFrameProps) {
  const user = useUser()
  const readOnlyReason = useImpersonationReadOnlyReason(user?.impersonation)
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
              <ReadOnlyReasonContext value={readOnlyReason}>
                <Shell user={user} onSignOut={leave} palette={palette} bar={bar} notice={notice}>
                  {children}
                </Shell>
              </ReadOnlyReasonContext>
            ) : (
              children
            )}
          </>
        )}
      </QueryErrorResetBoundary>
    </QueryClientProvider>
  )
}

/** Returning to a page that failed requests it again, instead of showing the old error. */
function ForgiveOnNavigation({ reset }: { reset: () => void }) {
  const router = useRouter()
  const latest = useRef(reset)
  useEffect(() => {
    latest.current = reset
  })
  useEffect(() => router.subscribe('onBeforeLoad', () => latest.current()), [router])
  return null
}

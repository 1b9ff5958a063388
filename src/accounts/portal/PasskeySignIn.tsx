import { useState } from 'react'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { setUser, type CurrentUser } from '../../ui/runtime/session.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { accounts } from './api.ts'

const quiet = { notify: false } as const

/** Signs in without typing: the device identifies the user. The WebAuthn code is loaded on demand. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (user: CurrentUser) => void }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  if (!('PublicKeyCredential' in window)) return null
  const signIn = async () => {
    setBusy(true)
    setProblem(null)
    const device = await import('./proof/webauthn.ts')
    try {
      const request = await accounts.call['POST /api/passkey_requests']({ body: {} }, quiet)
      const body = await device.answerWithPasskey(request)
      const user = await accounts.call['POST /api/session/passkey']({ body }, quiet)
      setUser(user)
      onSignedIn(user)
    } catch (error) {
      if (error instanceof device.PasskeyError) setProblem(error.message)
      else if (error instanceof HttpFailure) setProblem(error.problem.detail ?? 'The server could not be reached.')
      else throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button busy={busy} className="h-9 w-full" onClick={() => void signIn()}>
        Use a passkey
      </Button>
      {problem && (
        <Callout tone="bad" alert>
          {problem}
        </Callout>
      )}
    </>
  )
}

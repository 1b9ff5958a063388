import { useState } from 'react'
import { HttpFailure } from '../../portal/http-failure.ts'
import { adoptUser, type CurrentUser } from '../../portal/session.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { Callout } from '../../portal/ui/Callout.tsx'
import { accounts } from './api.ts'

const quiet = { notify: false } as const

/** Nothing to type: the device knows who it is. What speaks to it is loaded when it is wanted. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (user: CurrentUser) => void }) {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  if (!('PublicKeyCredential' in window)) return null
  const signIn = async () => {
    setBusy(true)
    setTrouble(null)
    const device = await import('./proof/webauthn.ts')
    try {
      const request = await accounts.call['POST /api/passkey_requests']({ body: {} }, quiet)
      const body = await device.answerWithPasskey(request)
      const user = await accounts.call['POST /api/session/passkey']({ body }, quiet)
      adoptUser(user)
      onSignedIn(user)
    } catch (error) {
      if (error instanceof device.PasskeyTrouble) setTrouble(error.message)
      else if (error instanceof HttpFailure) setTrouble(error.problem.detail ?? 'The server could not be reached.')
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
      {trouble && (
        <Callout tone="bad" alert>
          {trouble}
        </Callout>
      )}
    </>
  )
}

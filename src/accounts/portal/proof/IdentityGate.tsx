import { useCallback, useRef, useState, type ReactNode } from 'react'
import { accounts } from '../api.ts'
import { ConfirmIdentity, type IdentityQuestion } from './ConfirmIdentity.tsx'
import { ConfirmIdentityContext } from './prove.ts'

/** A proof that is about to run out is asked for anew: it must outlast the form that follows. */
const MARGIN_MS = 60_000

/** Gives what is below it a way to ask who sits there, and shows the question. */
export function IdentityGate({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<IdentityQuestion | null>(null)
  const answer = useRef<((confirmed: boolean) => void) | null>(null)
  const confirmIdentity = useCallback(async (): Promise<boolean> => {
    const { until, passkeys, code } = await accounts.call['GET /api/session/confirmation']()
    if (until !== null && Date.parse(until) - Date.now() > MARGIN_MS) return true
    setQuestion({ passkeys: passkeys > 0, code })
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])
  const settle = (confirmed: boolean) => {
    setQuestion(null)
    answer.current?.(confirmed)
    answer.current = null
  }
  return (
    <ConfirmIdentityContext value={confirmIdentity}>
      {children}
      {question && <ConfirmIdentity question={question} onConfirmed={settle} />}
    </ConfirmIdentityContext>
  )
}

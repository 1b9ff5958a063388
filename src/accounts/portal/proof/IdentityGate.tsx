import { useCallback, useRef, useState, type ReactNode } from 'react'
import { accounts } from '../api.ts'
import { ConfirmIdentity, type IdentityQuestion } from './ConfirmIdentity.tsx'
import { ConfirmIdentityContext } from './prove.ts'

/** A confirmation that is about to expire is requested again: it must outlast the form that follows. */
const MARGIN_MS = 60_000

/** Lets the components below it request an identity confirmation, and shows its dialog. */
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

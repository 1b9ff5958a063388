import { useCallback, useRef, useState, type ReactNode } from 'react'
import { accounts } from '../api.ts'
import { ConfirmIdentity } from './ConfirmIdentity.tsx'
import { ProveContext } from './prove.ts'

/** A proof that is about to run out is asked for anew: it must outlast the form that follows. */
const MARGIN_MS = 60_000

/** Gives what is below it a way to ask who sits there, and shows the question. */
export function ProofGate({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<{ passkeys: boolean } | null>(null)
  const answer = useRef<((proved: boolean) => void) | null>(null)
  const prove = useCallback(async (): Promise<boolean> => {
    const { until, passkeys } = await accounts.call['GET /api/session/confirmation']()
    if (until !== null && Date.parse(until) - Date.now() > MARGIN_MS) return true
    setQuestion({ passkeys: passkeys > 0 })
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])
  const settle = (proved: boolean) => {
    setQuestion(null)
    answer.current?.(proved)
    answer.current = null
  }
  return (
    <ProveContext value={prove}>
      {children}
      {question && <ConfirmIdentity passkeys={question.passkeys} onSettle={settle} />}
    </ProveContext>
  )
}

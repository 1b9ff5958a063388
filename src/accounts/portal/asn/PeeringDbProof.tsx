import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { refreshUser } from '../../../ui/runtime/session.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import type { AsnProofs } from '../../contract.ts'
import { accounts } from '../api.ts'
import type { Proof } from './proof-labels.ts'

const route = getRouteApi('/awaiting-verification')
const query = accounts.query['GET /api/user/asn_proofs']()

/** A code works once: rendering the page twice must not send it twice. */
const sent = new Map<string, Promise<AsnProofs>>()

/** Sends the browser to PeeringDB, and completes the proof when it returns. */
export default function PeeringDbProof({ proof }: { proof: Proof }) {
  const { code, state } = route.useSearch()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(code !== undefined)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    if (code === undefined || state === undefined) return
    const asked =
      sent.get(code) ??
      accounts.call['PUT /api/user/asn_proofs/peeringdb']({ body: { code, state } }, { notify: false })
    sent.set(code, asked)
    asked
      .then(async (proofs) => {
        queries.setQueryData(query.queryKey, proofs)
        await refreshUser()
      })
      .catch((error: unknown) => {
        const explained = explainFailure(error)
        setProblem(explained?.message ?? Object.values(explained?.fields ?? {})[0] ?? 'That didn’t work. Start again.')
      })
      .finally(() => {
        setBusy(false)
        // Removes the used code from the address bar.
        void navigate({ to: '/awaiting-verification', search: {}, replace: true })
      })
  }, [code, state, navigate, queries])

  const begin = async () => {
    setBusy(true)
    try {
      const { url } = await accounts.call['POST /api/user/asn_proofs/peeringdb']({ body: {} })
      location.assign(url)
    } catch (error) {
      setBusy(false)
      throw error
    }
  }
  return (
    <div className="mt-3 grid gap-3">
      {problem && (
        <Callout tone="bad" alert>
          {problem}
        </Callout>
      )}
      <div>
        <Button icon="external" busy={busy} disabledReason={proof.unavailable} onClick={() => void begin()}>
          {proof.state === 'none' ? 'Sign in with PeeringDB' : 'Sign in again'}
        </Button>
        {proof.unavailable && <p className="mt-2 text-sm text-dim">{proof.unavailable}</p>}
      </div>
    </div>
  )
}

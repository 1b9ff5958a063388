import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { explainFailure } from '../../../portal/explain-failure.ts'
import { refreshUser } from '../../../portal/session.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import type { AsnProofs } from '../../contract.ts'
import { accounts } from '../api.ts'
import type { Proof } from './proof-words.ts'

const route = getRouteApi('/awaiting-verification')
const query = accounts.query['GET /api/user/asn_proofs']()

/** A code works once: rendering the screen twice must not send it twice. */
const sent = new Map<string, Promise<AsnProofs>>()

/** Sends the browser to PeeringDB, and finishes with what it comes back with. */
export default function PeeringDbProof({ proof }: { proof: Proof }) {
  const { code, state } = route.useSearch()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(code !== undefined)
  const [trouble, setTrouble] = useState<string | null>(null)

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
        setTrouble(explained?.message ?? Object.values(explained?.fields ?? {})[0] ?? 'That didn’t work. Start again.')
      })
      .finally(() => {
        setBusy(false)
        // The code is spent: it has no business in the address any more.
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
      {trouble && (
        <Callout tone="bad" alert>
          {trouble}
        </Callout>
      )}
      <div>
        <Button icon="external" busy={busy} disabledReason={proof.unavailable} onClick={() => void begin()}>
          {proof.state === 'none' ? 'Sign in with PeeringDB' : 'Sign in again'}
        </Button>
      </div>
    </div>
  )
}

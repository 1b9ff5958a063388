import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reply } from '../../kernel/endpoint.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Confirm } from '../../ui/components/Confirm.tsx'
import { notify } from '../../ui/runtime/notifications.ts'
import type { TransitApi, TransitPrefix } from '../contract.ts'
import { MAX_LISTED } from '../states.ts'
import { ownPrefixes, transit } from './api.ts'
import { withdrawalConsequences } from './WithdrawPrefix.tsx'

const countOf = (count: number): string => (count === 1 ? '1 prefix' : `${count} prefixes`)

/** Withdraws the selected prefixes in one request, and shows how many were. */
export function WithdrawSeveral({ prefixes, onDone }: { prefixes: readonly TransitPrefix[]; onDone: () => void }) {
  const queries = useQueryClient()
  const [asks, setAsks] = useState(false)
  const count = countOf(prefixes.length)
  const withdraw = async () => {
    const ids = prefixes.map(({ id }) => id)
    const outcomes = await transit.call['POST /api/transit_prefixes/withdrawals']({ body: { ids } })
    await queries.invalidateQueries({ queryKey: ownPrefixes().queryKey })
    notify(outcomesInWords(outcomes))
    onDone()
  }
  return (
    <>
      <Button
        variant="danger"
        disabledReason={prefixes.length > MAX_LISTED ? `Select at most ${MAX_LISTED} prefixes.` : null}
        onClick={() => setAsks(true)}
      >
        Withdraw
      </Button>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={`Withdraw ${count}?`}
        action={`Withdraw ${count}`}
        danger
        consequences={[
          <span key="prefixes" className="font-mono wrap-anywhere">
            {prefixes.map(({ value }) => value).join(', ')}
          </span>,
          ...withdrawalConsequences(prefixes),
        ]}
        onConfirm={withdraw}
      />
    </>
  )
}

function outcomesInWords(outcomes: Reply<TransitApi['POST /api/transit_prefixes/withdrawals']>) {
  const refused = outcomes.filter(({ outcome }) => outcome === 'REFUSED')
  const withdrawn = `${countOf(outcomes.length - refused.length)} withdrawn`
  if (refused.length === 0) return { type: 'success' as const, title: withdrawn }
  return {
    type: 'error' as const,
    title: `${withdrawn}, ${refused.length} not`,
    body: refused.map(({ value, detail }) => `${value ?? 'A prefix'}: ${detail}`).join(' '),
  }
}

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReadOnlyReason } from '../../ui/components/change-denial.ts'
import { Confirm } from '../../ui/components/Confirm.tsx'
import { Icon } from '../../ui/components/Icon.tsx'
import { Spinner } from '../../ui/components/Spinner.tsx'
import { useTip } from '../../ui/components/tip.tsx'
import { routerList } from '../../routers/portal/api.ts'
import { STATE_BADGE } from '../../routers/portal/router-state-variants.ts'
import type { TransitConnection } from '../contract.ts'
import { ownConnection, ownPrefixes, transit } from './api.ts'

/** The field that other parts of the page link to. */
export const CARRIER_FIELD = 'carrier'

/** Selects which of the customer's routers carries the connection. Moving it interrupts traffic, so it asks for confirmation. */
export function RouterSelect({ connection }: { connection: TransitConnection }) {
  const { data: routers } = useSuspenseQuery(routerList())
  const queries = useQueryClient()
  const [wanted, setWanted] = useState<number | null | undefined>()
  const [busy, setBusy] = useState(false)
  const nameOf = (id: number | null) => routers.find((router) => router.id === id)?.name ?? 'no router'

  const blockedReason = useReadOnlyReason()
  const tip = useTip(blockedReason)
  const carrier = connection.router?.name ?? 'the router'

  const move = async (routerId: number | null) => {
    setBusy(true)
    try {
      const saved = await transit.call['PUT /api/transit_connection']({ body: { routerId } })
      queries.setQueryData(ownConnection().queryKey, saved)
      void queries.invalidateQueries({ queryKey: ownPrefixes().queryKey })
    } finally {
      setBusy(false)
    }
  }
  const choose = (routerId: number | null) => {
    if (routerId === (connection.router?.id ?? null)) return
    if (connection.router === null) void move(routerId)
    else setWanted(routerId)
  }
  return (
    <span className="flex items-center gap-2">
      <span className="relative min-w-0 flex-1">
        <select
          id={CARRIER_FIELD}
          aria-label="Router for this connection"
          value={connection.router?.id ?? ''}
          disabled={busy}
          {...tip.trigger}
          aria-disabled={blockedReason !== null || undefined}
          // The field stays focusable so that everybody can read the reason; it only does not open.
          onMouseDown={(event) => blockedReason !== null && event.preventDefault()}
          onKeyDown={(event) => {
            tip.trigger.onKeyDown?.(event)
            if (blockedReason !== null && event.key !== 'Tab') event.preventDefault()
          }}
          onChange={(event) =>
            blockedReason === null && choose(event.target.value === '' ? null : Number(event.target.value))
          }
          className="h-8 w-full max-w-72 appearance-none rounded-md border border-edge bg-surface pr-8 pl-2.5 text-sm disabled:text-dim aria-disabled:opacity-55 pointer-coarse:h-11"
        >
          <option value="">No router</option>
          {routers.map((router) => (
            <option key={router.id} value={router.id} disabled={router.state === 'DELETING'}>
              {router.name} ({STATE_BADGE[router.state].label.toLowerCase()})
            </option>
          ))}
        </select>
        <Icon name="chevron" size={13} className="pointer-events-none -ml-6 inline text-dim" />
      </span>
      {tip.popup}
      {busy && <Spinner />}
      <Confirm
        open={wanted !== undefined}
        onClose={() => setWanted(undefined)}
        title={wanted === null ? `Disconnect ${carrier}?` : `Move the connection to ${nameOf(wanted ?? null)}?`}
        action={wanted === null ? 'Disconnect' : 'Move connection'}
        consequences={[
          `Both sessions with ${carrier} go down and its prefixes are withdrawn.`,
          wanted === null
            ? 'Nothing is announced until you select a router again.'
            : `They are announced again once the sessions on ${nameOf(wanted ?? null)} are up.`,
        ]}
        onConfirm={() => move(wanted ?? null)}
      />
    </span>
  )
}

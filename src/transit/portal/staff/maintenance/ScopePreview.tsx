import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Callout } from '../../../../ui/components/Callout.tsx'
import { staffTransit } from '../api.ts'

export interface ChosenScope {
  readonly everywhere: boolean
  readonly sites: number[]
  readonly hypervisors: number[]
  readonly edges: number[]
}

/** The customers who will be told, shown before anybody is. */
export function ScopePreview({ scope }: { scope: ChosenScope }) {
  const chosen = scope.everywhere || scope.sites.length + scope.hypervisors.length + scope.edges.length > 0
  const { data } = useQuery({
    queryKey: ['maintenance preview', scope],
    queryFn: ({ signal }) =>
      staffTransit.call['POST /api/admin/maintenance_windows/preview']({ body: scope }, { signal }),
    enabled: chosen,
    placeholderData: keepPreviousData,
    meta: { topics: ['router', 'connection', 'edge'] },
  })
  if (!chosen) return <p className="text-sm text-dim">Select a scope to see which customers are notified.</p>
  if (!data) return <p className="text-sm text-dim">Reading …</p>
  if (data.customers === 0) return <Callout tone="info" title="No customers are affected" />
  const left = data.customers - data.named.length
  return (
    <Callout
      tone="info"
      title={`${counted(data.customers, 'customer')} will be emailed: ${counted(data.routers, 'router')}, ${counted(data.connections, 'IP transit connection')}`}
    >
      <details>
        <summary className="cursor-pointer">Customers</summary>
        <ul className="mt-1 grid list-disc gap-1 pl-5">
          {data.named.map(({ id, email, routers, transit }) => (
            <li key={id} className="wrap-anywhere">
              {email}
              <span className="text-dim"> · {[...routers, ...(transit ? ['IP Transit'] : [])].join(', ')}</span>
            </li>
          ))}
        </ul>
        {left > 0 && <p className="text-dim">and {left} more</p>}
      </details>
    </Callout>
  )
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

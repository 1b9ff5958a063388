import { useQuery } from '@tanstack/react-query'
import { ownQuota } from './api.ts'

/** How many prefixes the account has and may have. Renders nothing while that is unknown. */
export function Quota() {
  const { data } = useQuery(ownQuota())
  if (!data) return null
  const { prefixes, openRequests } = data
  const full = prefixes.used >= prefixes.limit || openRequests.used >= openRequests.limit
  return (
    <p className={`text-sm ${full ? 'text-warn' : 'text-dim'}`}>
      <span className="num">{prefixes.used}</span> of <span className="num">{prefixes.limit}</span> prefixes used
      {openRequests.used > 0 && (
        <>
          , <span className="num">{openRequests.used}</span> of <span className="num">{openRequests.limit}</span>{' '}
          requests open
        </>
      )}
      .{full && ' Contact support to raise the quota.'}
    </p>
  )
}

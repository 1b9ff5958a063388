import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { RouterDetail } from '../contract.ts'
import { configurationLook } from './configuration-look.ts'

/** Whether the router runs the routing configuration that the portal wrote for it, and what it said if not. */
export function RouterConfiguration({ router }: { router: RouterDetail }) {
  const { current, appliedAt, error } = router.configuration
  const { tone, word } = configurationLook(router)
  return (
    <div className="rounded-md border border-line bg-surface">
      <div className="flex min-h-9.5 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <span className="text-dim">
          {appliedAt ? (
            <>
              {current ? 'applied' : 'an earlier version is applied'} <Time at={appliedAt} />
            </>
          ) : (
            'not applied yet'
          )}
        </span>
      </div>
      {error && (
        <pre className="overflow-x-auto border-t border-line bg-sunken px-3 py-2.5 text-sm whitespace-pre-wrap">
          {error}
        </pre>
      )}
    </div>
  )
}

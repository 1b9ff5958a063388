import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { RouterDetail } from '../contract.ts'
import { configurationBadge } from './configuration-variants.ts'

/** Shows whether the router runs the portal's routing configuration and its owner's files, and the error if not. */
export function RouterConfiguration({ router }: { router: RouterDetail }) {
  const { current, appliedAt, error, ownFilesError } = router.configuration
  const { tone, label } = configurationBadge(router)
  return (
    <div className="rounded-md border border-line bg-surface">
      <div className="flex min-h-9.5 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
        <StatusBadge tone={tone}>{label}</StatusBadge>
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
      {error && <Reason text={error} />}
      {ownFilesError && (
        <>
          <div className="flex min-h-9.5 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-1.5 text-sm">
            <StatusBadge tone="bad">Your files not loaded</StatusBadge>
            <span className="text-dim">
              BIRD runs without <code>/data/bird.d</code>. Correct the error below; loading is retried every minute.
            </span>
          </div>
          <Reason text={ownFilesError} />
        </>
      )}
      <p className="border-t border-line px-3 py-2 text-sm text-dim">
        Put your own BIRD configuration in <code>/data/bird.d/*.conf</code> on the router and run{' '}
        <code>birdc configure</code>. It is kept across portal changes, restarts and image updates; a reinstall erases
        it. Names starting with <code>lh_</code> are reserved.
      </p>
    </div>
  )
}

/** In the words of BIRD. */
const Reason = ({ text }: { text: string }) => (
  <pre className="overflow-x-auto border-t border-line bg-sunken px-3 py-2.5 text-sm whitespace-pre-wrap">{text}</pre>
)

import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { AdminRouter } from '../../contract.ts'
import { staffRouters } from './api.ts'
import { useAction } from '../../../ui/staff/use-action.ts'

/**
 * Shows what went wrong, as the customer and as the host describe it, when the next attempt is, and a button to retry
 * now.
 */
export function RouterFailure({ router }: { router: AdminRouter }) {
  const { busy, runAction } = useAction()
  const blockedReason = useMissingRoleReason('network')
  const { id, name, failure, failureDetail, attempts, retryAt } = router
  if (failure === null && retryAt === null) return null
  const retry = () =>
    runAction(
      id,
      () => staffRouters.call['POST /api/admin/virtual_machines/{id}/retry']({ params: { id } }),
      `Retrying ${name}`,
      'The owner sees this in their activity.',
    )
  return (
    <div className="mb-4">
      <Callout
        tone={failure === null ? 'warn' : 'bad'}
        title={failure ?? 'It keeps crashing'}
        action={
          retryAt !== null && (
            <Button icon="refresh" busy={busy === id} disabledReason={blockedReason} onClick={retry}>
              Try again now
            </Button>
          )
        }
      >
        {failureDetail && <code className="wrap-anywhere">{failureDetail}</code>}
        <p>
          {retryAt === null ? (
            'The guest is polled continuously. If it does not respond, the owner can reset the router.'
          ) : (
            <>
              {attempts === 1 ? 'Failed once.' : `Failed ${attempts} times in a row.`} Next attempt{' '}
              <Time at={retryAt} />.
            </>
          )}
        </p>
      </Callout>
    </div>
  )
}

import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { AdminRouter } from '../../../routers/contract.ts'
import { staff } from '../api.ts'
import { useDeed } from '../use-deed.ts'

/** What went wrong, in the words of the customer and in those of the host, and when it is tried again: now, if staff like. */
export function RouterFailure({ router }: { router: AdminRouter }) {
  const { busy, act } = useDeed()
  const refusal = useDutyRefusal('network')
  const { id, name, failure, failureDetail, attempts, retryAt } = router
  if (failure === null && retryAt === null) return null
  const retry = () =>
    act(
      id,
      () => staff.call['POST /api/admin/virtual_machines/{id}/retry']({ params: { id } }),
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
            <Button icon="refresh" busy={busy === id} disabledReason={refusal} onClick={retry}>
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

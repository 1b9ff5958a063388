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
      `${name} is tried again`,
      'Its owner reads it in the activity.',
    )
  return (
    <div className="mb-4">
      <Callout
        tone={failure === null ? 'warn' : 'bad'}
        title={failure ?? 'It crashes again and again'}
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
            'Its guest is asked all the time. If it stays silent, its owner can reset it.'
          ) : (
            <>
              {attempts === 1 ? 'It failed once.' : `It failed ${attempts} times in a row.`} The next attempt is due{' '}
              <Time at={retryAt} />.
            </>
          )}
        </p>
      </Callout>
    </div>
  )
}
